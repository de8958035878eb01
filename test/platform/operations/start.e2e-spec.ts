import { getConnectionToken } from '@nestjs/mongoose';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Connection } from 'mongoose';
import { DatabaseStart } from '../../../src/platform/records/connection/database-start';
import { FirstAdmin } from '../../../src/registry/users/first-admin';
import { User } from '../../../src/registry/users/user.schema';
import { databaseUri } from '../../support/database';
import { startMain } from '../../support/programs';
import { ADMIN, startInstance, startService } from '../../support/service';
import { catchWarnings } from '../../support/warnings';

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
  });
});

describe('a start on a database', () => {
  let app: NestFastifyApplication;
  afterEach(async () => {
    await app.get<Connection>(getConnectionToken()).dropDatabase();
    await app.close();
  });

  /** Starts an instance whose settings name no first Admin, unless these do. */
  async function start(name: string, env: Record<string, string>): Promise<void> {
    const unnamed = { ADMIN_USERNAME: '', ADMIN_EMAIL: '', ADMIN_PASSWORD: '' };
    app = await startInstance({ ...unnamed, MONGODB_URI: databaseUri(name), ...env });
    await app.get(DatabaseStart).ready;
  }

  const users = (): Promise<User[]> =>
    app.get<Connection>(getConnectionToken()).model<User>('User').find().schemaLevelProjections(false).lean();

  it('makes up a first Admin in development, with a password that is known once', async () => {
    await start('first-admin-development', { NODE_ENV: 'development' });
    const { username, password } = await app.get(FirstAdmin, { strict: false }).login();
    expect({ username, password }).toEqual({ username: 'admin', password: expect.stringMatching(/^[\w-]{16}$/) });
    const payload = { username, password };
    const login = await app.inject({ method: 'POST', url: '/sessions', payload });
    expect(login.json().data.user.roles).toEqual(['admin']);
  });

  it('is not ready in production when no settings name a first Admin', async () => {
    await start('first-admin-production', { NODE_ENV: 'production' });
    expect(await users()).toEqual([]);
    const ready = await app.inject('/health/ready');
    expect({ status: ready.statusCode, body: ready.json() }).toEqual({
      status: 503,
      body: { status: 'fail', code: 1901, message: 'Not ready: admin.' },
    });
    expect((await app.inject('/health/live')).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/sessions' })).json().code).toBe(1901);
    expect((await app.inject('/organizations')).statusCode).toBe(401);
  });

  it('makes the first Admin of the settings once: a later start makes no other', async () => {
    const first = await startService();
    const { username, email } = ADMIN;
    expect(first.admin.user).toMatchObject({ username, email, companyName: 'Administrators', roles: ['admin'] });
    const env = { ADMIN_USERNAME: 'other', ADMIN_EMAIL: 'other@roster.example', ADMIN_PASSWORD: 'another Admin' };
    await start('unused', { NODE_ENV: 'test', MONGODB_URI: first.databaseUri, ...env });
    expect((await users()).map((user) => user.username)).toEqual(['admin']);
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
    await first.app.close();
  });
});

it('a start with a wrong replicaSet logs which sets there are', async () => {
  const right = await startService();
  const { setName } = await right.connection.db!.admin().command({ hello: 1 });
  const uri = new URL(right.databaseUri);
  uri.searchParams.set('replicaSet', 'wrong');
  const { logged } = catchWarnings();
  const app = await startInstance({ MONGODB_URI: String(uri) });
  expect(await logged(/^Not ready/)).toMatch(
    new RegExp(`^Not ready: database: .* wrong, but the servers belong to ${setName}$`),
  );
  jest.restoreAllMocks();
  await app.close();
  await right.stop();
});
