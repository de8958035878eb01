import { tmpdir } from 'node:os';
import { getConnectionToken } from '@nestjs/mongoose';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Connection } from 'mongoose';
import { settingsFrom } from '../src/load-settings';
import { createApp } from '../src/create-app';
import { DatabaseStart } from '../src/database/database-start';
import { FirstAdmin } from '../src/users/first-admin';
import { User } from '../src/users/user.schema';
import { databaseUri } from './support/database';
import { expectFailure } from './support/expect-error';
import { startMain } from './support/program';
import { organizationBody } from './support/records';
import { ADMIN, startService } from './support/service';

describe('a start with wrong settings', () => {
  const wrong = {
    NODE_ENV: 'production',
    PORT: '70000',
    JWT_SECRET: 'too short a secret',
    MONGODB_URI: 'postgres://user:hunter2@host',
    REGISTRATION: 'yes',
    ACCESS_TOKEN_TTL: '15m',
    ADMIN_USERNAME: '-admin',
    ADMIN_PASSWORD: 'password',
    LOG_LEVEL: 'loud',
  };

  it('ends with 1 and names every problem, but no secret', async () => {
    const started = startMain(wrong);
    expect(await started.end()).toBe(1);
    const { output, errors } = started;
    expect(output).toBe('');
    for (const name of [...Object.keys(wrong).slice(1), 'ADMIN_EMAIL'])
      expect(errors).toMatch(new RegExp(`^${name} is `, 'm'));
    expect(errors).not.toMatch(/NODE_ENV|HOST|BODY_LIMIT/);
    for (const secret of ['too short a secret', 'hunter2', '"password"']) expect(errors).not.toContain(secret);
    expect(errors).not.toContain('    at ');
  }, 60_000);

  it('asks for a database in a sentence', async () => {
    const started = startMain({});
    expect(await started.end()).toBe(1);
    expect(started.errors).toMatch(/^MONGODB_URI is not set; .*`npm start`, which starts a database for you\n$/);
  }, 60_000);

  it('in production asks for the database and the secret', async () => {
    const started = startMain({ NODE_ENV: 'production' });
    expect(await started.end()).toBe(1);
    const { errors } = started;
    expect(errors).toMatch(/MONGODB_URI is not set/);
    expect(errors).toMatch(/JWT_SECRET is not set/);
  }, 60_000);
});

describe('the first Admin', () => {
  let app: NestFastifyApplication | undefined;
  afterEach(async () => {
    await app?.get<Connection>(getConnectionToken()).dropDatabase();
    await app?.close();
    app = undefined;
  });

  /** Starts the assembly with these settings alone, and waits for its database. */
  async function start(name: string, env: Record<string, string>): Promise<NestFastifyApplication> {
    const fixed = { LOG_LEVEL: 'silent', DATA_DIR: tmpdir(), MONGODB_URI: databaseUri(name) };
    app = await createApp(
      settingsFrom({ ...fixed, JWT_SECRET: 'a secret of the tests which keeps no one out', ...env }),
    );
    await app.init();
    await app.get(DatabaseStart).ready;
    return app;
  }

  const users = (started: NestFastifyApplication): Promise<User[]> =>
    started.get<Connection>(getConnectionToken()).model<User>('User').find().schemaLevelProjections(false).lean();

  it('is made of the settings', async () => {
    const service = await startService();
    const { username, email } = ADMIN;
    expect(service.admin.user).toMatchObject({ username, email, companyName: 'Administrators', roles: ['admin'] });
    expect((await service.nobody.get('/health/ready')).status).toBe(200);
    await service.stop();
  });

  it('is made up in development, with a password that is known once', async () => {
    const started = await start('first-admin-development', { NODE_ENV: 'development' });
    const { generated } = started.get(FirstAdmin, { strict: false });
    expect(generated).toMatchObject({ username: 'admin', password: expect.stringMatching(/^[\w-]{16}$/) });
    const payload = { username: 'admin', password: generated?.password };
    const login = await started.inject({ method: 'POST', url: '/sessions', payload });
    expect(login.json().data.user.roles).toEqual(['admin']);
  });

  it('is missing in production where no settings name one: then the service is not ready', async () => {
    const started = await start('first-admin-production', { NODE_ENV: 'production' });
    expect(await users(started)).toEqual([]);
    const ready = await started.inject('/health/ready');
    expect({ status: ready.statusCode, body: ready.json() }).toEqual({
      status: 503,
      body: { status: 'fail', code: 1901, message: 'Not ready: admin.' },
    });
    expect((await started.inject('/health/live')).statusCode).toBe(200);
  });

  it('is not made again by a later start, nor with other settings', async () => {
    const first = await startService();
    const env = { ADMIN_USERNAME: 'other', ADMIN_EMAIL: 'other@roster.example', ADMIN_PASSWORD: 'another Admin' };
    const again = await createApp(
      settingsFrom({
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        MONGODB_URI: first.databaseUri,
        JWT_SECRET: 'x'.repeat(32),
        ...env,
      }),
    );
    await again.init();
    await again.get(DatabaseStart).ready;
    expect((await users(again)).map(({ username }) => username)).toEqual(['admin']);
    expect((await again.inject('/health/ready')).statusCode).toBe(200);
    await again.close();
    await first.stop();
  });
});

describe('a second start', () => {
  it('finds the records and the sessions of the first', async () => {
    const MONGODB_URI = databaseUri('second-start');
    const first = await startService({ MONGODB_URI });
    const account = await first.registered();
    const { body } = await account.post('/organizations', organizationBody());
    await first.app.close();

    const second = await startService({ MONGODB_URI });
    const authorization = `Bearer ${account.token}`;
    const found = await second.nobody.get(`/organizations/${body.data._id}`, { authorization });
    expect(found.body).toEqual(body.data);
    expect((await second.nobody.post('/tokens', { refreshToken: account.refreshToken })).status).toBe(201);
    expectFailure(await second.nobody.get('/users'), 'noCredentials');
    await second.connection.dropDatabase();
    await second.stop();
  });
});
