import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { AddressInfo, createServer, Server } from 'node:net';
import { join } from 'node:path';
import { ROOT, SERVICE } from '../scripts/lib/paths.mjs';
import { listenError, StartError } from '../src/config/start-error';
import { version } from '../src/config/version';
import { createApp } from '../src/create-app';
import { settingsFrom } from '../src/start/load-settings';
import { onDatabase } from './support/connection';
import { databaseUri } from './support/database';
import { Program } from './support/program.mjs';
import { startMain } from './support/programs';
import { testFolder } from './support/run-folder';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET } from './support/service';

const database = databaseUri('start-messages');
const generated = databaseUri('start-messages-generated');
const fixed = { MONGODB_URI: database, LOG_LEVEL: 'silent', PORT: '0' };

let started: Program | undefined;
let other: Server | undefined;
afterEach(async () => {
  other?.close();
  other = undefined;
  await started?.stop();
});
afterAll(async () => {
  for (const uri of [database, generated]) await onDatabase(uri, (connection) => connection.dropDatabase());
});

/** A port that something else listens at until the test is over. */
async function takenPort(): Promise<number> {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

describe('a start tells the person at the terminal', () => {
  it('how to log in as an Admin whose password it does not know', async () => {
    started = startMain({ ...fixed, JWT_SECRET, ...ADMIN_SETTINGS });
    await started.wrote(/Ctrl-C/);
    expect(await started.stop()).toBe(0);
    expect(started.output).toMatch(/Roster is ready at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(started.output).toContain(`set PASSWORD to the password of ${ADMIN.username} and run`);
    expect(started.output).toContain(`-d '{"username":"${ADMIN.username}","password":"'"$PASSWORD"'"}'`);
    expect(started.output).toContain(`npm run admin -- reset-password ${ADMIN.username}`);
    expect(started.output).not.toContain(ADMIN.password);
  }, 60_000);

  it('the password that it has generated, once, and nothing before it', async () => {
    const env = { ...fixed, MONGODB_URI: generated, JWT_SECRET, LOG_LEVEL: 'info' };
    started = startMain(env);
    const [, password = ''] = await started.wrote(/Admin +admin, password (\S+) [^]*Ctrl-C/);
    expect(started.output).toContain(`-d '{"username":"admin","password":"${password}"}'`);
    expect(started.output).toMatch(/^\nRoster is ready at /);
    await started.stop();
    started = startMain(env);
    await started.wrote(/Admin +admin [^]*Ctrl-C/);
    expect(started.output).not.toContain(password);
  }, 60_000);

  const inUse = (port: number): string =>
    `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose a port: `;

  it('that its port is taken, and what to do, in one line', async () => {
    const port = await takenPort();
    started = startMain({ ...fixed, JWT_SECRET, PORT: String(port), LOG_LEVEL: 'info' });
    const line = `${inUse(port)}PORT=${port + 1} npm start\n`;
    expect([await started.end(), started.output, started.errors]).toEqual([1, '', line]);
  }, 60_000);

  it('that the port of the metrics is taken', async () => {
    const port = await takenPort();
    const env = { ...fixed, JWT_SECRET, NODE_ENV: 'production', HOST: '127.0.0.1', MANAGEMENT_PORT: String(port) };
    const app = await createApp(settingsFrom(env));
    await expect(app.listen(0)).rejects.toThrow(`${inUse(port)}MANAGEMENT_PORT=`);
    await app.close();
  });

  it('that this machine has no such address', async () => {
    const server = createServer().listen(0, '203.0.113.9');
    const [error] = (await once(server, 'error')) as [Error];
    const { message } = listenError(error, { host: '203.0.113.9', port: 0, setting: 'PORT' }) as StartError;
    expect(message).toContain('does not have the address 203.0.113.9. Set HOST to one that it has');
    const metrics = listenError(error, { host: '203.0.113.9', port: 0, setting: 'MANAGEMENT_PORT' }) as StartError;
    expect(metrics.message).toContain('Set MANAGEMENT_HOST to one that it has');
  });

  it('that the generated secret was spoilt, and nothing else', async () => {
    const folder = testFolder();
    const file = join(folder, 'jwt-secret');
    writeFileSync(file, 'short');
    started = startMain({ ...fixed, DATA_DIR: folder, LOG_LEVEL: 'info' });
    expect(await started.end()).toBe(1);
    expect(started.errors).toBe(
      `JWT_SECRET is not set, and ${file} holds less than 32 bytes; delete that file to get a new secret\n`,
    );
    expect(started.output).toBe('');
  }, 60_000);

  it('that its data folder cannot be created', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), '');
    const DATA_DIR = join(folder, 'file', 'data');
    const message = `The folder ${DATA_DIR} cannot be created (ENOTDIR). Choose another one with DATA_DIR.\n`;
    started = startMain({ ...fixed, DATA_DIR });
    expect([await started.end(), started.errors]).toEqual([1, message]);
    started = new Program([join(__dirname, '../scripts/start.mjs')], { NODE_ENV: 'test', DATA_DIR });
    expect([await started.end(), started.errors]).toEqual([1, `\n${message}`]);
  }, 60_000);
});

describe('a production start', () => {
  /** The lines that it has logged once it listens. */
  async function linesOf(env: Record<string, string>): Promise<Record<string, unknown>[]> {
    const production = { NODE_ENV: 'production', HOST: '127.0.0.1', MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0' };
    started = startMain({ ...fixed, ...production, JWT_SECRET, LOG_LEVEL: 'info', ...env });
    await started.wrote(/listens at/);
    return started.output.match(/^\{.*\}$/gm)!.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('is one line: version, address with base path, database, rate-limit store, docs, metrics', async () => {
    const lines = await linesOf({ BASE_PATH: '/registry' });
    const [{ address }] = lines as [{ address: string }];
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/registry$/);
    expect(lines).toEqual([
      {
        ...{ level: 'info', time: expect.any(String), pid: started!.pid, hostname: expect.any(String) },
        context: 'Start',
        msg: `Roster ${version} listens at ${address}`,
        ...{ version, address, docs: `${address}/docs`, rateLimitStore: 'memory' },
        database: new URL(database).host,
        metrics: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/),
      },
    ]);
  }, 60_000);

  it('also without a database, and without the logins of the database and the store', async () => {
    const MONGODB_URI = 'mongodb://someone:pa55@127.0.0.1:1,127.0.0.1:2/roster';
    const store = { RATE_LIMIT_STORE: 'redis://someone:pa55@127.0.0.1:1/3?family=4' };
    const lines = await linesOf({ MONGODB_URI, DOCS: 'off', ...store });
    const shown = { database: '127.0.0.1:1,127.0.0.1:2', rateLimitStore: 'redis://127.0.0.1:1/3', docs: 'off' };
    expect(lines.find(({ context }) => context === 'Start')).toMatchObject(shown);
    expect(started!.output).not.toMatch(/someone|pa55/);
  }, 60_000);
});

describe('a start that gets SIGTERM', () => {
  const stopAt = (place: string): Program => {
    const env = { ...fixed, JWT_SECRET, ...ADMIN_SETTINGS, STOP_AT: place };
    return new Program(['--require', join(__dirname, 'support/stop-at.cjs'), SERVICE], env);
  };

  it.each(['./start/announce', './users/users.module', 'listen'])(
    'ends with 0, at %s too',
    async (place) => {
      started = stopAt(place);
      expect([await started.end(), started.errors]).toEqual([0, '']);
    },
    60_000,
  );
});

it('a database that is absent while a start is slow does not end it', async () => {
  const slowStart = `
    const { getConnectionToken } = require('@nestjs/mongoose');
    const { createApp } = require('./dist/create-app.js');
    const { settingsFrom } = require('./dist/start/load-settings.js');
    void createApp(settingsFrom(process.env)).then((app) => {
      const connection = app.get(getConnectionToken());
      connection.once('close', () => setTimeout(() => process.exit(0), 100));
    });`;
  const env = { MONGODB_URI: 'mongodb://127.0.0.1:1/roster', JWT_SECRET, LOG_LEVEL: 'silent' };
  started = new Program(['-e', slowStart], env, ROOT);
  expect([await started.end(), started.errors]).toEqual([0, '']);
}, 60_000);
