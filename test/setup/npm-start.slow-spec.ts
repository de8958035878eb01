import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../support/http-client.mjs';
import { Program } from '../support/program.mjs';
import { processesIn, testFolder } from '../support/run-folder';
import { ADMIN, ADMIN_SETTINGS } from '../support/service';
import { until } from '../support/until';

const START = join(__dirname, '../../scripts/start.mjs');
const COMMAND = join(__dirname, '../../scripts/command.mjs');
/** In tests no file .env is read. */
const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  ...ADMIN_SETTINGS,
};

/** That of the first start, after it was stopped: its Admin is in it. */
let firstDataDir: string;
let dataDir: string;
const started: Program[] = [];

beforeAll(async () => {
  dataDir = firstDataDir = testFolder();
  const first = run(START);
  await urlOf(first);
  expect(first.output).not.toContain(ADMIN.password);
  expect(await first.stop()).toBe(0);
});
afterAll(stopAll);

describe('npm start without MONGODB_URI', () => {
  beforeEach(() => (dataDir = testFolder()));
  afterEach(stopAll);

  it('restarts its database when it dies, and stops when it keeps dying', async () => {
    dataDir = earlierData();
    const npmStart = run(START);
    const url = await urlOf(npmStart);
    expect(npmStart.errors).toContain(`The data is in ${dataDir}\n`);
    const id = await logIn(url);
    for (let deaths = 1; deaths <= 3; deaths++) {
      await killDatabase();
      await npmStart.wrote(new RegExp(`(restarting it[^]*){${deaths}}`));
    }
    // Readiness tolerates one failed write, so the service may be ready while the database restarts.
    await until(async () => (await logIn(url).catch(() => undefined)) === id);
    await killDatabase();
    expect(await npmStart.end()).toBe(1);
    expect(npmStart.errors).toContain('The embedded database keeps dying.');
  });

  it('takes over from a start that was killed: its service and database end, its data stays', async () => {
    dataDir = earlierData();
    const killed = run(START);
    const url = await urlOf(killed);
    const id = await logIn(url);
    await killed.kill();
    expect(processes()).toHaveLength(1);
    const again = run(START, { PORT: new URL(url).port });
    expect(await urlOf(again)).toBe(url);
    expect(again.errors).toMatch(/Stopped the service that a killed start left running .*\n.*Stopped the database/);
    expect(await logIn(url)).toBe(id);
    expect(await again.stop('SIGINT')).toBe(0);
    expect(again.errors).toMatch(new RegExp(`\\nStopped\\. Your data stays in ${dataDir}\\.\\n$`));
    expect(processes()).toEqual([]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('ends with 0 and leaves nothing running when it is stopped while the database starts', async () => {
    const npmStart = run(START);
    await until(() => processes().length > 0);
    expect(await npmStart.stop()).toBe(0);
    await until(() => processes().length === 0);
  });
});

describe('npm start without MONGODB_URI, while it runs,', () => {
  let url: string;

  beforeAll(async () => {
    dataDir = earlierData();
    url = await urlOf(run(START));
  });

  it('shares its database with npm run admin, but not with another npm start', async () => {
    const refused = run(START);
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toContain(`Another Roster is running on the data folder ${dataDir}`);
    expect(refused.errors).toContain('`npm run admin -- reset-password <username>`');
    const admin = run(COMMAND, {}, ['admin', 'list']);
    expect([await admin.end(), admin.output]).toEqual([0, `${ADMIN.username}  ${ADMIN.email}\n`]);
  });

  it('is backed up by npm run export, and restored by npm run import into another folder', async () => {
    const file = join(testFolder(), 'roster.jsonl');
    const id = await logIn(url);
    expect(await run(COMMAND, {}, ['export', file]).end()).toBe(0);
    const refused = run(COMMAND, {}, ['import', file]);
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toMatch(/^The database "roster" is not empty: /m);
    const DATA_DIR = testFolder();
    expect(await run(COMMAND, { DATA_DIR }, ['import', file]).end()).toBe(0);
    const restored = run(START, { DATA_DIR, ADMIN_PASSWORD: 'of no use any more' });
    expect(await logIn(await urlOf(restored))).toBe(id);
  });
});

/** A copy of the first data folder: a start makes one in twice the time. */
function earlierData(): string {
  const folder = testFolder();
  cpSync(firstDataDir, folder, { recursive: true });
  return folder;
}

function run(script: string, env: Record<string, string> = {}, args: string[] = []): Program {
  const program = new Program([script, ...args], { ...SETTINGS, DATA_DIR: dataDir, ...env });
  started.push(program);
  return program;
}

/** As a Ctrl-C would, so that nothing is left running. */
async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((one) => one.stop()));
}

function processes(): number[] {
  return processesIn(dataDir);
}

async function killDatabase(): Promise<void> {
  await until(() => processes().length > 0);
  process.kill(processes()[0]!, 'SIGKILL');
}

async function urlOf(npmStart: Program): Promise<string> {
  const [, url = ''] = await npmStart.wrote(/ready at (\S+)\n[^]*Ctrl-C/);
  return url;
}

/** @returns the id of the User */
async function logIn(url: string, account: { username: string; password: string } = ADMIN): Promise<string> {
  return (await Client.logIn(url, account)).user._id;
}
