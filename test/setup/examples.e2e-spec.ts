import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { load, loadAll } from 'js-yaml';
import { Settings } from '../../src/platform/base/settings/settings';
import { MAX_CONNECTIONS } from '../../src/platform/http/edge/server';
import { GRACE_MS } from '../../src/platform/operations/health/graceful-shutdown';
import { image } from '../support/dockerfile';
import { Json } from '../support/json';
import { readSettings } from '../support/settings';

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

/** Settings that the operator adds. */
const SECRETS = { MONGODB_URI: 'mongodb://db.example/roster', JWT_SECRET: 's'.repeat(32) };

/** The settings of a production environment, all of whose variables the service reads. */
function productionSettings(given: NodeJS.ProcessEnv): Settings {
  const { settings, names } = readSettings({ ...given, NODE_ENV: 'production' });
  expect(Object.keys(given).filter((name) => !names.includes(name))).toEqual([]);
  return settings;
}

const secondsToStop = ({ shutdownDelayMs }: Settings): number => (shutdownDelayMs + GRACE_MS) / 1000;

/** The assignments of a file that systemd reads. */
const envFile = (name: string): NodeJS.ProcessEnv => parseEnv(read(`examples/systemd/${name}.env`));

const INSTANCES = ['1', '2'];

describe('the systemd units', () => {
  const file = read('examples/systemd/roster@.service');
  const option = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(file)?.[1] ?? '';
  const environment = envFile('roster');

  it('start the service as the image does, and give it time to stop', () => {
    expect(option('ExecStart')).toBe(['/usr/bin/node', ...image.command.slice(1)].join(' '));
    expect(option('Environment')).toBe('NODE_ENV=production');
    const settings = productionSettings({ ...environment, ...SECRETS });
    expect(Number(option('TimeoutStopSec'))).toBeGreaterThan(secondsToStop(settings));
    expect(Number(option('LimitNOFILE'))).toBeGreaterThan(MAX_CONNECTIONS);
  });

  it('use the ports, the base path and the trust that the proxies and Prometheus expect', () => {
    const settings = INSTANCES.map((name) => productionSettings({ ...environment, ...envFile(name), ...SECRETS }));
    for (const { host, trustProxy } of settings) expect([host, trustProxy]).toEqual(['127.0.0.1', 1]);
    const found = (path: string, pattern: RegExp): string[] => read(path).match(pattern) ?? [];
    const servers = settings.map(({ port }) => `127.0.0.1:${port}`);
    expect(found('examples/nginx.conf', /127\.0\.0\.1:\d+/g)).toEqual(servers);
    expect(found('examples/haproxy.cfg', /127\.0\.0\.1:\d+/g)).toEqual(servers);
    const scraped = settings.map(({ managementPort }) => `127.0.0.1:${managementPort}`);
    expect(found('examples/prometheus/prometheus.yml', /127\.0\.0\.1:\d+/g)).toEqual(scraped);
    const [{ basePath }] = settings as [Settings];
    expect(read('examples/nginx.conf')).toContain(`location ~ ^(${basePath}(/|$)|`);
    for (const acl of [`path ${basePath} `, `path_beg ${basePath}/`])
      expect(read('examples/haproxy.cfg')).toContain(`acl roster ${acl}`);
    expect(read('examples/haproxy.cfg')).toContain(`GET ${basePath}/health/ready`);
  });
});

describe('the Kubernetes manifests', () => {
  const objects = loadAll(read('examples/kubernetes/roster.yaml')) as Json[];
  const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec;
  const [container] = pod.containers;
  const environment = Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value]));

  it('run as the user of the image, without rights, on a read-only file system', () => {
    const [runAsUser, runAsGroup] = image.user.split(':').map(Number);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser, runAsGroup });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('set only what the service reads, name its ports, and let Prometheus reach the metrics', () => {
    const settings = productionSettings({ ...environment, ...SECRETS });
    expect(container.ports).toEqual([
      { name: 'http', containerPort: settings.port },
      { name: 'metrics', containerPort: settings.managementPort },
    ]);
    expect(settings.managementHost).toBe('0.0.0.0');
  });

  it('ask for readiness often enough, and wait until requests have finished', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(container.readinessProbe).toMatchObject({
      httpGet: { path: '/health/ready', port: 'http' },
      periodSeconds: 2,
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(secondsToStop(productionSettings(SECRETS)));
  });
});

it('the Compose file passes every setting on but those of the image, requires no Admin, and waits for requests', () => {
  const { environment, ports, stop_grace_period } = (load(read('docker-compose.yml')) as Json).services.roster;
  const given = Object.entries<string>(environment).map(([name, value]) => [name, expanded(value)]);
  const settings = productionSettings(Object.fromEntries(given));
  const ofImage = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'];
  const { names } = readSettings(SECRETS);
  expect(Object.keys(environment).sort()).toEqual(names.filter((name) => !ofImage.includes(name)).sort());
  expect(ports).toEqual([`127.0.0.1:3000:${settings.port}`]);
  expect(image.port).toBe(String(settings.port));
  expect(parseInt(stop_grace_period)).toBeGreaterThan(secondsToStop(settings));
});

/** As Compose does it: `${NAME:-default}` with nothing set, `${NAME:?…}` with something of sufficient length. */
function expanded(value: string): string {
  return value
    .replace(/\$\{\w+:\+(?:\$\{[^}]*\}|[^}])*\}/g, '')
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{\w+:\?[^}]*\}/g, 'something that is set and long enough for a secret');
}
