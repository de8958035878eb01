import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../scripts/lib/free-port.mjs';
import { Program } from './support/program.mjs';
import { processesIn, testFolder } from './support/run-folder';
import { ADMIN, ADMIN_SETTINGS } from './support/service';
import { statusOf, until } from './support/until';

const START = join(__dirname, '../scripts/start.mjs');
const COMMAND = join(__dirname, '../scripts/command.mjs');
const SEED = ['seed', '--users', '3', '--organizations', '0', '--apis', '0'];
/** In tests no file .env is read. */
const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  ...ADMIN_SETTINGS,
};

describe('npm start without MONGODB_URI', () => {
  let dataDir: string;
  let started: Program[];

  beforeEach(() => {
    dataDir = testFolder();
    started = [];
  });
  // As a Ctrl-C would, so that nothing is left running.
  afterEach(() => Promise.all(started.map((one) => one.stop())));

  it('starts a database, restarts it when it dies, and stops when it keeps dying', async () => {
    const npmStart = run(START);
    const url = await urlOf(npmStart);
    expect(npmStart.errors).toContain(`The data is in ${dataDir}\n`);
    const id = await logIn(url);
    for (let deaths = 1; deaths <= 3; deaths++) {
      await killDatabase();
      await npmStart.wrote(new RegExp(`(restarting it[^]*){${deaths}}`));
    }
    await untilReady(npmStart, url);
    expect(await logIn(url)).toBe(id);
    await killDatabase();
    expect(await npmStart.end()).toBe(1);
    expect(npmStart.errors).toContain('The embedded database keeps dying.');
  }, 60_000);

  it('takes no options, and says how to choose a port', async () => {
    const refused = run(START, {}, ['--port', '3001']);
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toContain('PORT=3001 npm start');
  });

  it('takes over from a start that was killed: its service and database end, its data stays', async () => {
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
  }, 60_000);

  it('says which signal has ended the service', async () => {
    const npmStart = run(START);
    await urlOf(npmStart);
    const { service } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8')) as { service: { pid: number } };
    process.kill(service.pid, 'SIGKILL');
    expect(await npmStart.end()).toBe(137);
    expect(npmStart.errors).toContain('The service was ended by SIGKILL. If you did not send it, the machine may have');
  }, 60_000);

  it('shares its database with npm run seed and npm run admin, but not with another npm start', async () => {
    const npmStart = run(START);
    const url = await urlOf(npmStart);
    const refused = run(START);
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toContain(`Another Roster is running on the data folder ${dataDir}`);
    expect(refused.errors).toContain('`npm run admin -- reset-password <username>`');
    const admin = run(COMMAND, {}, ['admin', 'list']);
    expect([await admin.end(), admin.output]).toEqual([0, `${ADMIN.username}  ${ADMIN.email}\n`]);
    const seed = run(COMMAND, {}, SEED);
    expect(await seed.end()).toBe(0);
    await logIn(url, { username: 'demo-user-3', password: 'a demo of the registry' });
  }, 60_000);

  it('is backed up by npm run export while it runs, and restored by npm run import into another folder', async () => {
    const file = join(testFolder(), 'roster.jsonl');
    const npmStart = run(START);
    const id = await logIn(await urlOf(npmStart));
    expect(await inShell(`export - | cat > ${file}`).end()).toBe(0);
    const refused = run(COMMAND, {}, ['import', file]);
    expect(await refused.end()).toBe(1);
    expect(refused.errors).toMatch(/^The database "roster" is not empty: /m);
    const DATA_DIR = testFolder();
    expect(await inShell(`import - < ${file}`, { DATA_DIR }).end()).toBe(0);
    const restored = run(START, { DATA_DIR, ADMIN_PASSWORD: 'of no use any more' });
    expect(await logIn(await urlOf(restored))).toBe(id);
  }, 60_000);

  it('is not exported to standard output when npm writes lines of its own to it', async () => {
    const refused = inShell('export -', { npm_lifecycle_event: 'export' });
    expect([await refused.end(), refused.output]).toEqual([1, '']);
    expect(refused.errors).toContain('Use: npm run --silent export -- -');
  }, 60_000);

  it('ends with 0 and leaves nothing running when it is stopped while the database starts', async () => {
    const npmStart = run(START);
    await until(() => processes().length > 0);
    expect(await npmStart.stop()).toBe(0);
    await until(() => processes().length === 0);
  }, 60_000);

  it.each([
    ['on a full disk', '&> /dev/full'],
    ['a pipe that nobody reads', '&> >(exit)'],
  ])(
    'serves while its output is %s',
    async (_where, output) => {
      const PORT = String(await freePort());
      const env = { ...SETTINGS, DATA_DIR: dataDir, PORT, LOG_LEVEL: 'info' };
      const npmStart = new Program(['-c', `exec "$0" "$@" ${output}`, process.execPath, START], env, undefined, 'bash');
      started.push(npmStart);
      const url = `http://127.0.0.1:${PORT}`;
      await untilReady(npmStart, url);
      await logIn(url);
      expect(await npmStart.stop()).toBe(0);
    },
    60_000,
  );

  function run(script: string, env: Record<string, string> = {}, args: string[] = []): Program {
    const program = new Program([script, ...args], { ...SETTINGS, DATA_DIR: dataDir, ...env });
    started.push(program);
    return program;
  }

  /** A command on the database, as a shell starts it. */
  function inShell(command: string, env: Record<string, string> = {}): Program {
    const script = `set -o pipefail; ${process.execPath} ${COMMAND} ${command}`;
    const program = new Program(['-c', script], { ...SETTINGS, DATA_DIR: dataDir, ...env }, undefined, 'bash');
    started.push(program);
    return program;
  }

  const processes = (): number[] => processesIn(dataDir);

  async function killDatabase(): Promise<void> {
    await until(() => processes().length > 0);
    process.kill(processes()[0]!, 'SIGKILL');
  }
});

describe('npm run seed without MONGODB_URI', () => {
  it('fills the data folder, and refuses one that another is filling', async () => {
    const dataDir = testFolder();
    const both = [1, 2].map(() => new Program([COMMAND, ...SEED], { ...SETTINGS, DATA_DIR: dataDir }));
    const codes = await Promise.all(both.map((one) => one.end()));
    expect([...codes].sort()).toEqual([0, 1]);
    expect(both[codes.indexOf(0)]?.errors).toContain('✔ Users: 3 added');
    expect(both[codes.indexOf(0)]?.output).toContain('"a demo of the registry"');
    expect(both[codes.indexOf(1)]?.errors).toContain('Another Roster is running on the data folder');
  }, 60_000);
});

async function urlOf(npmStart: Program): Promise<string> {
  const [, url = ''] = await npmStart.wrote(/ready at (\S+)\n[^]*Ctrl-C/);
  return url;
}

async function untilReady(program: Program, url: string): Promise<void> {
  const port = Number(new URL(url).port);
  await until(async () => !program.isRunning || (await statusOf('/health/ready', port)) === 200);
}

/** @returns the id of the User */
async function logIn(
  url: string,
  { username, password } = ADMIN as { username: string; password: string },
): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ username, password });
  const response = await fetch(`${url}/sessions`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: { user: { _id: string } } };
  return data.user._id;
}
