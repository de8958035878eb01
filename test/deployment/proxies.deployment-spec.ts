import { join } from 'node:path';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { Client } from '../support/http-client.mjs';
import { onDatabase } from '../support/connection';
import { databaseUri } from '../support/database';
import { Program } from '../support/program.mjs';
import { testFolder } from '../support/run-folder';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET } from '../support/service';
import { filePart, form, FORM_TYPE, png } from '../support/uploads.mjs';
import { PROXIES, Proxy } from './proxies';
import { statusOf, until } from '../support/until';

const MAIN = join(__dirname, '../../dist/main.js');
const LOGIN = { username: ADMIN.username, password: ADMIN.password };
const LOGINS = 10;

describe.each(Object.keys(PROXIES))('two instances with Redis, behind %s with TLS and BASE_PATH', (name) => {
  const MONGODB_URI = databaseUri(`deployment-${name}`);
  let redis: Program;
  let instances: Program[];
  let ports: number[];
  let proxy: Proxy;
  let nobody: Client;
  let admin: Client;

  beforeAll(async () => {
    const redisPort = String(await freePort());
    redis = new Program(['--port', redisPort, '--bind', '127.0.0.1', '--save', ''], {}, testFolder(), 'redis-server');
    ports = [await freePort(), await freePort()];
    const settings = { ...ADMIN_SETTINGS, MONGODB_URI, JWT_SECRET, RATE_LIMIT_STORE: `redis://127.0.0.1:${redisPort}` };
    instances = ports.map((port) => startInstance(port, settings));
    await Promise.all(ports.map((port) => until(async () => (await statusOf('/registry/health/ready', port)) === 200)));
    proxy = await PROXIES[name]!(ports);
    nobody = client();
    await until(async () => (await nobody.get('/registry/health/ready')).status === 200);
    admin = client((await logIn(LOGIN)).body.data.accessToken);
  });
  afterAll(async () => {
    await Promise.all([proxy?.stop(), redis.stop(), ...instances.map((one) => one.stop())]);
    await onDatabase(MONGODB_URI, (connection) => connection.dropDatabase());
  });

  function startInstance(port: number, settings: Record<string, string>): Program {
    const fixed = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: '0' };
    const proxied = { BASE_PATH: '/registry', TRUST_PROXY: '1', SHUTDOWN_DELAY_MS: '3000' };
    return new Program([MAIN], { ...fixed, ...proxied, ...settings });
  }

  const client = (token?: string): Client => new Client(proxy.origin, { token, ca: proxy.ca, keepAlive: false });
  const logIn = (account: object, headers = {}) => nobody.send('POST', '/registry/sessions', account, headers);

  /** The lines of the request logs, by instance. */
  const logged = (path: string): number[] => instances.map(({ output }) => output.split(`"${path}"`).length - 1);

  it('uses both instances, and says where new records are with the base path', async () => {
    const body = { name: `Nets ${name}`, url: 'https://nets.example' };
    const created = await admin.send('POST', '/registry/organizations', body);
    expect(created.status).toBe(201);
    const location = created.headers!.location!;
    expect(location).toBe(`/registry/organizations/${created.body.data._id}`);
    for (let count = 0; count < 10; count++) expect((await admin.get(location)).body.name).toBe(`Nets ${name}`);
    await until(() => logged(location).reduce((sum, count) => sum + count, 0) >= 10);
    for (const count of logged(location)) expect(count).toBeGreaterThan(0);
  });

  it('leads from the root to the base path, and has nothing else but the API catalog', async () => {
    const { status, headers } = await nobody.get('/');
    expect([status, headers!.location]).toEqual([302, '/registry/']);
    expect((await nobody.get('/registry/')).body).toMatchObject({ name: 'Roster' });
    for (const path of ['/other', '/registry2/x', '/index.html', '/.well-known/api-catalog'])
      expect([path, (await nobody.get(path)).status]).toEqual([path, 404]);
  });

  it('passes encoded paths and files unchanged', async () => {
    expect((await admin.get('/registry/organizations/%2e%2e%2fusers')).body).toMatchObject({ status: 'fail' });
    const uploaded = await admin.send('POST', '/registry/files', form(filePart()), FORM_TYPE);
    expect(uploaded.status).toBe(201);
    const file = await admin.get(uploaded.headers!.location!);
    expect(file.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(png().length) });
  });

  it('counts failed logins of both instances, by the address that the proxy saw and not by an invented one', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 2 * LOGINS; count++) {
      const wrong = { username: `nobody-${name}`, password: `guess number ${count}` };
      statuses.push((await logIn(wrong, { 'X-Forwarded-For': `203.0.113.${count}` })).status);
    }
    expect(statuses.slice(0, LOGINS)).toEqual(Array(LOGINS).fill(401));
    expect(statuses.slice(LOGINS)).toEqual(Array(LOGINS).fill(429));
  });

  // Last, as it stops an instance.
  it('loses no request when an instance is stopped', async () => {
    const statuses = new Set<number>();
    const end = instances[1]!.stop();
    while (instances[1]!.isRunning) statuses.add((await admin.get('/registry/organizations')).status);
    expect(await end).toBe(0);
    expect([...statuses]).toEqual([200]);
  });
});
