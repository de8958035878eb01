import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { freePort } from '../scripts/lib/free-port.mjs';
import { SERVICE_FLAGS } from '../scripts/lib/paths.mjs';
import { onDatabase } from './support/connection';
import { databaseUri } from './support/database';
import { dockerfile, image } from './support/dockerfile';
import { Program } from './support/program.mjs';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET } from './support/service';
import { readSettings } from './support/settings';
import { statusOf, until } from './support/until';

const ROOT = join(__dirname, '..');
const MONGODB_URI = databaseUri('deployment');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the built service, started as the image starts it', () => {
  let service: Program;
  let port: number;
  let managementPort: number;

  beforeAll(async () => {
    [port, managementPort] = [await freePort(), await freePort()];
    const ports = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
    const args = image.command.slice(1).map((arg) => arg.replace('dist/', join(ROOT, 'dist/')));
    const settings = { ...ports, MONGODB_URI, JWT_SECRET, ...ADMIN_SETTINGS, SHUTDOWN_DELAY_MS: '0' };
    service = new Program(args, { ...image.env, ...settings });
    await until(async () => (await statusOf('/health/ready', port)) === 200);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await onDatabase(MONGODB_URI, (connection) => connection.dropDatabase());
  }, 60_000);

  it('runs without rights and without a shell before it, which would keep SIGTERM from the service', () => {
    const command = ['node', ...SERVICE_FLAGS, 'dist/main.js'];
    expect(image).toMatchObject({ user: '1000:1000', command, env: { NODE_ENV: 'production' } });
  });

  it('serves Swagger UI and the document that the build wrote', async () => {
    for (const path of ['/docs', '/docs/swagger-ui.js', '/docs/start.mjs'])
      expect([path, await statusOf(path, port)]).toEqual([path, 200]);
    const response = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    expect(await response.text()).toBe(read('openapi.json'));
  });

  it('shows metrics on the management port only', async () => {
    expect([await statusOf('/metrics', port), await statusOf('/metrics', managementPort)]).toEqual([404, 200]);
  });

  it('is healthy by the check of the image while it is ready, and only then', async () => {
    const check = (at: number): Promise<unknown> =>
      promisify(execFile)(process.execPath, image.healthcheck.slice(1), { env: { PORT: String(at) } });
    await expect(check(port)).resolves.toBeDefined();
    await expect(check(await freePort())).rejects.toMatchObject({ code: 1 });
  });

  it('writes JSON lines without a secret', () => {
    const output = service.output + service.errors;
    for (const line of output.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    for (const secret of [JWT_SECRET, ADMIN.password]) expect(output).not.toContain(secret);
  });
});

interface Job {
  steps: { run?: string }[];
}

interface Workflow {
  jobs: { test: Job & { env: NodeJS.ProcessEnv }; clients: Job };
}

interface Compose {
  services: Record<string, { environment?: Record<string, string>; ports?: string[]; stop_grace_period?: string }>;
}

describe('what goes with the Dockerfile', () => {
  it('is a build context with everything that is copied, and no secrets or data', () => {
    const ignore = read('.dockerignore').split('\n');
    const copied = dockerfile
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect(ignore).toContain('*');
    expect(ignore.filter((line) => line.startsWith('!')).sort()).toEqual(copied.map((path) => `!${path}`).sort());
  });

  it('is a Compose file that sets what production requires, and only what the service reads', () => {
    const { roster } = (load(read('docker-compose.yml')) as Compose).services;
    const { environment = {}, ports, stop_grace_period } = roster!;
    const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, expanded(value)]));
    const { settings, names } = readSettings({ ...given, NODE_ENV: 'production' });
    expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
    expect(ports).toEqual([`127.0.0.1:3000:${settings.port}`]);
    expect(image.port).toBe(String(settings.port));
    expect(parseInt(stop_grace_period ?? '') * 1000).toBeGreaterThan(settings.shutdownGraceMs);
  });

  it('is a CI workflow that tests the clients, and names what breaks clients', () => {
    const { clients } = (load(read('.github/workflows/ci.yml')) as Workflow).jobs;
    const commands = clients.steps.map(({ run }) => run);
    expect(commands).toEqual(expect.arrayContaining(['npm run openapi:diff', 'npm run test:clients']));
  });

  it('is a CI workflow that tests all supported Node.js versions on MongoDB', () => {
    const { test } = (load(read('.github/workflows/ci.yml')) as Workflow).jobs;
    expect(test).toMatchObject({ strategy: { matrix: { node: [22, 24] } } });
    const commands = test.steps.map(({ run = '' }) => run);
    const start = expect.stringMatching(
      /mongo:8 mongod --replSet [^]*--setParameter transactionLifetimeLimitSeconds=15/,
    );
    expect(commands).toContainEqual(start as string);
    for (const command of ['npm run check', 'npm test -- --ci', 'npm run test:extending', 'npm run test:examples']) {
      expect(commands).toContain(command);
    }
    expect(read('.github/workflows/ci.yml')).toContain('npm run test:deployment\n');
    expect(readSettings(test.env).settings.mongodbUri).toContain('replicaSet=');
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toMatch(/^>=22\./);
  });
});

/** As Compose does it: `${NAME:-default}` with nothing set, `${NAME:?…}` with something of sufficient length. */
function expanded(value: string): string {
  return value
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{\w+:\?[^}]*\}/g, 'something that is set and long enough for a secret');
}
