import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { SERVICE_ENV, SERVICE_FLAGS } from '../../scripts/lib/paths.mjs';
import { onDatabase } from '../support/connection';
import { databaseUri } from '../support/database';
import { dockerfile, image } from '../support/dockerfile';
import { withoutAccess } from '../support/operations';
import { Program } from '../support/program.mjs';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET } from '../support/service';
import { statusOf, until } from '../support/until';

const ROOT = join(__dirname, '../..');
const MONGODB_URI = databaseUri('deployment');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the built service, started as the image starts it', () => {
  let service: Program;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const ports = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: '0' };
    const args = image.command.slice(1).map((arg) => arg.replace('dist/', join(ROOT, 'dist/')));
    const settings = { ...ports, MONGODB_URI, JWT_SECRET, ...ADMIN_SETTINGS, SHUTDOWN_DELAY_MS: '0' };
    service = new Program(args, { ...image.env, ...settings });
    await until(async () => (await statusOf('/health/ready', port)) === 200);
  });
  afterAll(async () => {
    await service.stop();
    await onDatabase(MONGODB_URI, (connection) => connection.dropDatabase());
  });

  it('runs without rights and without a shell before it, which would keep SIGTERM from the service', () => {
    const command = ['node', ...SERVICE_FLAGS, 'dist/main.js'];
    expect(image).toMatchObject({ user: '1000:1000', command, env: { NODE_ENV: 'production', ...SERVICE_ENV } });
  });

  it('serves Swagger UI and the document that the build wrote', async () => {
    for (const path of ['/docs', '/docs/swagger-ui.js', '/docs/start.mjs'])
      expect([path, await statusOf(path, port)]).toEqual([path, 200]);
    const response = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    expect(withoutAccess(await response.text())).toBe(withoutAccess(read('openapi.json')));
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

it('the build context of the image has everything that is copied, and no secrets or data', () => {
  const ignore = read('.dockerignore').split('\n');
  const copied = dockerfile
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  expect(ignore).toContain('*');
  expect(ignore.filter((line) => line.startsWith('!')).sort()).toEqual(copied.map((path) => `!${path}`).sort());
});
