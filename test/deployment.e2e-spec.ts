import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { freePort } from '../scripts/lib/free-port.mjs';
import { onDatabase } from './export-import/files';
import { databaseUri } from './support/database';
import { build, Image, parseDockerfile } from './support/dockerfile';
import { Program } from './support/program.mjs';
import { readSettings } from './support/settings';
import { statusOf, until } from './support/until';

const ROOT = join(__dirname, '..');
const DATABASE = databaseUri('deployment');
const ADMIN = { username: 'root-of-all', password: 'a passphrase of the deployment' };
const SETTINGS = {
  MONGODB_URI: DATABASE,
  JWT_SECRET: 'a secret of the deployment that has more than 32 bytes',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_EMAIL: 'root@roster.example',
  ADMIN_PASSWORD: ADMIN.password,
};

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const instructions = parseDockerfile(read('Dockerfile'));

async function start({ command, env, root, workdir }: Image, settings: Record<string, string>): Promise<Deployed> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const ports = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const program = new Program(command.slice(1), { ...env, ...ports, ...settings }, join(root, workdir));
  return { program, port, managementPort };
}

interface Deployed {
  readonly program: Program;
  readonly port: number;
  readonly managementPort: number;
}

describe('the image of the Dockerfile, built by hand', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'roster-deployment-'));
  let image: Image;
  let service: Deployed;
  let url: string;

  beforeAll(async () => {
    image = await build(instructions, ROOT, scratch);
    service = await start(image, SETTINGS);
    url = `http://127.0.0.1:${service.port}`;
    await service.program.wrote(/listens at/);
    await until(async () => (await statusOf('/health/ready', service.port)) === 200);
  }, 240_000);

  afterAll(async () => {
    await service?.program.kill();
    rmSync(scratch, { recursive: true, force: true });
    await onDatabase(DATABASE, (connection) => connection.dropDatabase());
  }, 60_000);

  it('holds the packages of production and none that only development needs', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
    const present = Object.keys(packages).filter((path) => existsSync(join(image.root, image.workdir, path)));
    expect(present.length).toBeGreaterThan(100);
    expect(present.filter((path) => packages[path]?.dev)).toEqual([]);
    expect(present.filter((path) => /\/(typescript|swagger-ui-dist)$/.test(path))).toEqual([
      'node_modules/swagger-ui-dist',
    ]);
  });

  it('runs without rights and without a shell before it, which would keep SIGTERM from the service', () => {
    expect(image.user).toBe('1000:1000');
    const memory = ['--max-semi-space-size=32', '--max-old-space-size=1024'];
    expect(image.command).toEqual(['node', ...memory, 'dist/main.js']);
    expect(image.env).toEqual({ NODE_ENV: 'production' });
  });

  it('serves: the first Admin logs in', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/sessions`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
    expect(response.status).toBe(201);
  });

  it('serves Swagger UI and the document that the build wrote', async () => {
    for (const path of ['/docs', '/docs/swagger-ui.js', '/docs/start.mjs'])
      expect(await statusOf(path, service.port)).toBe(200);
    const response = await fetch(`${url}/openapi.json`);
    expect(await response.text()).toBe(read('openapi.json'));
  });

  it('shows metrics on the management port only', async () => {
    expect(await statusOf('/metrics', service.port)).toBe(404);
    expect(await statusOf('/metrics', service.managementPort)).toBe(200);
  });

  it('calls itself healthy while it is ready, and only then', async () => {
    const check = (port: number): Promise<unknown> =>
      promisify(execFile)(process.execPath, image.healthcheck.slice(1), { env: { PORT: String(port) } });
    await expect(check(service.port)).resolves.toBeDefined();
    await expect(check(await freePort())).rejects.toMatchObject({ code: 1 });
  });

  it('writes JSON lines without a secret', () => {
    const output = service.program.output + service.program.errors;
    for (const line of output.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    for (const secret of [SETTINGS.JWT_SECRET, ADMIN.password]) expect(output).not.toContain(secret);
  });

  // Last, as it stops the service.
  it('lets a request under way end at SIGTERM, takes no new one, and exits with 0', async () => {
    const body = JSON.stringify({ username: 'nobody', password: 'a passphrase of nobody' });
    const socket = connect(service.port, '127.0.0.1');
    const metrics = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${service.managementPort}/metrics`)).text();
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.write('POST /sessions HTTP/1.1\r\nHost: roster\r\nContent-Type: application/json\r\n');
    socket.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
    await until(async () => (await metrics()).includes('roster_http_requests_in_flight 1\n'));
    const exitCode = service.program.stop();
    await until(async () => (await statusOf('/health/live', service.port)) === 0);
    expect(response).toBe('');
    socket.write(body.slice(10));
    await once(socket, 'close');
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(await exitCode).toBe(0);
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
    const copied = instructions
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
    expect(instructions).toContainEqual({ name: 'EXPOSE', rest: String(settings.port) });
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
