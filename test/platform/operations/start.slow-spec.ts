import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { AddressInfo, createServer, Server } from 'node:net';
import { join } from 'node:path';
import { getConnectionToken } from '@nestjs/mongoose';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Connection } from 'mongoose';
import { ROOT, SERVICE } from '../../../scripts/lib/paths.mjs';
import { createApp } from '../../../src/create-app';
import { version } from '../../../src/platform/base/settings/version';
import { Overload } from '../../../src/platform/operations/limits/overload';
import { settingsFrom } from '../../../src/platform/operations/start/load-settings';
import { DatabaseStart } from '../../../src/platform/records/start/database-start';
import { User } from '../../../src/registry/users/user.schema';
import { Client } from '../../support/http-client.mjs';
import { onDatabase } from '../../support/connection';
import { databaseUri } from '../../support/database';
import { Program } from '../../support/program.mjs';
import { startMain } from '../../support/programs';
import { testFolder } from '../../support/run-folder';
import { inTerminal } from '../../support/terminal';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET, startInstance, startService } from '../../support/service';

const database = databaseUri('start-messages');
const fixed = { MONGODB_URI: database, LOG_LEVEL: 'silent', PORT: '0' };

let started: Program[] = [];
let other: Server | undefined;
afterEach(async () => {
  other?.close();
  other = undefined;
  await Promise.all(started.map((program) => program.kill()));
  started = [];
});
afterAll(() => onDatabase(database, (connection) => connection.dropDatabase()));

/** Ends a program when the test is over. */
function ended(program: Program): Program {
  started.push(program);
  return program;
}

const start = (env: Record<string, string>): Program => ended(startMain({ ...fixed, JWT_SECRET, ...env }));

/** A port that something else listens at until the test is over. */
async function takenPort(): Promise<number> {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

describe('a start tells the person at the terminal', () => {
  it('the password that it has generated, once and after a line of the log about the Admin alone, and later how to get another one', async () => {
    const first = start({ LOG_LEVEL: 'info' });
    const [, password = ''] = await first.wrote(/Admin +admin, password (\S+) [^]*Ctrl-C/);
    const [, url = ''] = /^.*Security: Admin admin created.*\n\nRoster is ready at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(
      first.output,
    )!;
    expect(first.output).toContain(`\n  Catalog     ${url}/catalog/\n  Swagger UI  ${url}/docs\n`);
    const { user } = await Client.logIn(url, { username: 'admin', password });
    expect(user.roles).toEqual(['admin']);
    expect(await first.stop()).toBe(0);
    const second = start({ LOG_LEVEL: 'info' });
    await second.wrote(/Admin +admin [^]*Ctrl-C/);
    expect(second.output).toContain('npm run admin -- reset-password admin');
    expect(second.output).not.toContain(password);
  });

  it.each([
    ['with colors in a terminal', true, {}, true],
    ['without colors where NO_COLOR is set', true, { NO_COLOR: '1' }, false],
    ['with colors in a file where FORCE_COLOR is set', false, { FORCE_COLOR: '1' }, true],
  ])('each request %s', async (_how, isTerminal, env, isColored) => {
    const all = { ...fixed, JWT_SECRET, LOG_LEVEL: 'info', ...env };
    const program = ended(isTerminal ? inTerminal([process.execPath, SERVICE], all) : startMain(all));
    const [, url = ''] = await program.wrote(/ready at (\S+)[^]*Ctrl-C/);
    await fetch(`${url}/users`);
    const [line] = await program.wrote(/.*GET \/users 401.*/);
    expect(line.includes('\u001b')).toBe(isColored);
  });

  it('no requests in a terminal, where they would hide the password, without LOG_LEVEL', async () => {
    const program = ended(inTerminal([process.execPath, SERVICE], { ...fixed, JWT_SECRET, LOG_LEVEL: '' }));
    const [, url = ''] = await program.wrote(/ready at (\S+)[^]*Ctrl-C/);
    await fetch(`${url}/openapi.json`);
    await program.stop();
    expect(program.output).not.toContain('openapi.json');
  });

  const inUse = (port: number): string =>
    `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose a port: `;

  it('that its port is taken, and what to do, in one line', async () => {
    const port = await takenPort();
    const refused = start({ PORT: String(port), LOG_LEVEL: 'info' });
    const line = `${inUse(port)}PORT=${port + 1} npm start\n`;
    expect([await refused.end(), refused.output, refused.errors]).toEqual([1, '', line]);
  });

  it('that the port of the metrics is taken', async () => {
    const port = await takenPort();
    const env = { ...fixed, JWT_SECRET, NODE_ENV: 'production', HOST: '127.0.0.1', MANAGEMENT_PORT: String(port) };
    const app = await createApp(settingsFrom(env));
    await expect(app.listen(0)).rejects.toThrow(`${inUse(port)}MANAGEMENT_PORT=`);
    await app.close();
  });

  it('that the generated secret was spoilt, and nothing else', async () => {
    const folder = testFolder();
    const file = join(folder, 'jwt-secret');
    writeFileSync(file, 'short');
    const refused = ended(startMain({ ...fixed, DATA_DIR: folder, LOG_LEVEL: 'info' }));
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toBe(
      `JWT_SECRET is not set, and ${file} holds less than 32 bytes; delete that file to get a new secret\n`,
    );
    expect(refused.output).toBe('');
  });

  it('that its data folder cannot be created', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), '');
    const DATA_DIR = join(folder, 'file', 'data');
    const message = `The folder ${DATA_DIR} cannot be created (ENOTDIR). Choose another one with DATA_DIR.\n`;
    const service = ended(startMain({ ...fixed, DATA_DIR }));
    const npmStart = ended(new Program([join(ROOT, 'scripts/start.mjs')], { NODE_ENV: 'test', DATA_DIR }));
    expect([await service.end(), service.errors]).toEqual([1, message]);
    expect([await npmStart.end(), npmStart.errors]).toEqual([1, `\n${message}`]);
  });
});

describe('a production start', () => {
  /** Starts it, and waits until it listens. */
  async function listening(env: Record<string, string>): Promise<Program> {
    const production = { NODE_ENV: 'production', HOST: '127.0.0.1', MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0' };
    const program = start({ ...production, LOG_LEVEL: 'info', ...env });
    await program.wrote(/listens at/);
    return program;
  }

  const linesOf = ({ output }: Program): Record<string, unknown>[] =>
    output.match(/^\{.*\}$/gm)!.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('is one line: version, address with base path, metrics', async () => {
    const program = await listening({ BASE_PATH: '/registry' });
    const lines = linesOf(program);
    const [{ address }] = lines as [{ address: string }];
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/registry$/);
    expect(lines).toEqual([
      {
        ...{ level: 'info', time: expect.any(String), pid: program.pid, hostname: expect.any(String) },
        context: 'Start',
        msg: `Roster ${version} listens at ${address}`,
        ...{ version, address },
        metrics: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/),
      },
    ]);
  });

  it('does not wait for a database, and shows no login of the database and the store', async () => {
    const MONGODB_URI = 'mongodb://someone:pa55@127.0.0.1:1,127.0.0.1:2/roster';
    const RATE_LIMIT_STORE = 'redis://someone:pa55@127.0.0.1:1/3?family=4';
    expect((await listening({ MONGODB_URI, RATE_LIMIT_STORE })).output).not.toMatch(/someone|pa55/);
  });
});

it('a start that gets SIGTERM ends with 0, also while it loads its code and when it begins to listen', async () => {
  const places = ['./platform/operations/start/announce', './users/users.module', 'listen'];
  const ends = places.map(async (STOP_AT) => {
    const env = { ...fixed, JWT_SECRET, ...ADMIN_SETTINGS, STOP_AT };
    const program = ended(new Program(['--require', join(__dirname, '../../support/stop-at.cjs'), SERVICE], env));
    return [STOP_AT, await program.end(), program.errors];
  });
  expect(await Promise.all(ends)).toEqual(places.map((place) => [place, 0, '']));
});

it('a start with wrong settings ends with 1 and names every problem, but no secret', async () => {
  const wrong = {
    NODE_ENV: 'production',
    PORT: '70000',
    JWT_SECRET: 'too short a secret',
    MONGODB_URI: 'postgres://user:hunter2@host',
    ADMIN_PASSWORD: 'password',
  };
  const refused = startMain(wrong);
  expect([await refused.end(), refused.output]).toEqual([1, '']);
  for (const name of Object.keys(wrong).slice(1)) expect(refused.errors).toMatch(new RegExp(`^${name} is `, 'm'));
  for (const secret of ['too short a secret', 'hunter2', '"password"', '    at '])
    expect(refused.errors).not.toContain(secret);
});

describe('a start on a database', () => {
  let app: NestFastifyApplication;
  afterEach(async () => {
    await app.get<Connection>(getConnectionToken()).dropDatabase();
    await app.close();
  });

  /** Starts an instance whose settings name no first Admin, unless these do. */
  async function startOn(name: string, env: Record<string, string>): Promise<void> {
    app = await startInstance({ ADMIN_PASSWORD: '', MONGODB_URI: databaseUri(name), ...env });
    await app.get(DatabaseStart).ready;
  }

  const users = (): Promise<User[]> =>
    app.get<Connection>(getConnectionToken()).model<User>('User').find().schemaLevelProjections(false).lean();

  it('is not ready in production when no settings name a first Admin', async () => {
    await startOn('first-admin-production', { NODE_ENV: 'production' });
    expect(await users()).toEqual([]);
    const ready = await app.inject('/health/ready');
    expect({ status: ready.statusCode, body: ready.json() }).toEqual({
      status: 503,
      body: { status: 'fail', code: 1901, message: 'Not ready: admin.' },
    });
    expect((await app.inject('/health/live')).statusCode).toBe(200);
    const logIn = async () => (await app.inject({ method: 'POST', url: '/sessions' })).json().code as number;
    expect(await logIn()).toBe(1901);
    app.get(Overload).present = true;
    expect(await logIn()).toBe(1903);
    app.get(Overload).present = false;
    expect((await app.inject('/organizations')).statusCode).toBe(401);
  });

  it('makes the first Admin of the settings once: a later start makes no other', async () => {
    const first = await startService();
    const { username, email } = ADMIN;
    expect(first.admin.user).toMatchObject({ username, email, companyName: 'Administrators', roles: ['admin'] });
    const env = { NODE_ENV: 'test', MONGODB_URI: first.databaseUri, ADMIN_PASSWORD: 'another Admin' };
    await startOn('unused', env);
    expect(await users()).toHaveLength(1);
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
    await first.app.close();
  });
});
