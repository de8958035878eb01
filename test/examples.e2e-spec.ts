import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import { Settings } from '../src/config/settings';
import { parseDockerfile } from './support/dockerfile';
import { testFolder } from './support/run-folder';
import { readSettings } from './support/settings';

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');
const dockerfile = parseDockerfile(read('Dockerfile'));
const command = JSON.parse(dockerfile.find(({ name }) => name === 'CMD')!.rest) as string[];
const user = dockerfile.find(({ name }) => name === 'USER')!.rest;

/** Settings that the operator adds. */
const SECRETS = { MONGODB_URI: 'mongodb://db.example/roster', JWT_SECRET: 's'.repeat(32) };

/** The settings of a production environment, all of whose variables the service reads. */
function productionSettings(given: NodeJS.ProcessEnv): Settings {
  const { settings, names } = readSettings({ ...given, NODE_ENV: 'production' });
  expect(Object.keys(given).filter((name) => !names.includes(name))).toEqual([]);
  return settings;
}

const secondsToStop = ({ shutdownDelayMs, shutdownGraceMs }: Settings): number =>
  (shutdownDelayMs + shutdownGraceMs) / 1000;

describe('the systemd unit', () => {
  const file = read('examples/systemd/roster.service');
  const option = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(file)?.[1] ?? '';
  const environment = parseEnv(read('examples/systemd/roster.env')) as NodeJS.ProcessEnv;

  it('starts the service as the image does, and gives it time to stop', () => {
    expect(option('ExecStart')).toBe(['/usr/bin/node', ...command.slice(1)].join(' '));
    expect(option('Environment')).toBe('NODE_ENV=production');
    const settings = productionSettings({ ...environment, ...SECRETS });
    expect(Number(option('TimeoutStopSec'))).toBeGreaterThan(secondsToStop(settings));
    expect(Number(option('LimitNOFILE'))).toBeGreaterThan(settings.maxConnections);
  });

  it('asks for a secret: as it is, the service says that JWT_SECRET is not set', () => {
    expect(() => productionSettings(environment)).toThrow(/^JWT_SECRET is not set;[^\n]*$/);
  });

  const systemd = '/usr/bin/systemd-analyze';
  (existsSync(systemd) ? it : it.skip)('is valid for systemd-analyze', async () => {
    // It checks that the program exists.
    const unit = join(testFolder(), 'roster.service');
    writeFileSync(unit, file.replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = await promisify(execFile)(systemd, ['verify', '--man=no', unit]);
    expect(stdout + stderr).toBe('');
  });
});

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
}

interface Pod {
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: {
    ports: { name: string; containerPort: number }[];
    env: { name: string; value: string }[];
    livenessProbe: Probe;
    readinessProbe: Probe;
    resources: { limits: { memory: string } };
    securityContext: object;
  }[];
}

describe('the Kubernetes manifests', () => {
  const objects = loadAll(read('examples/kubernetes/roster.yaml')) as { kind: string; spec: never }[];
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as
    { spec: { template: { spec: Pod } } } | undefined;
  const pod = deployment!.spec.template.spec;
  const container = pod.containers[0]!;
  const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

  it('run as the user of the image, without rights, on a read-only file system', () => {
    const [runAsUser, runAsGroup] = user.split(':').map(Number);
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

it('the Compose file has nothing that docker-compose 1.29 does not know', () => {
  const [compose] = loadAll(read('docker-compose.yml')) as object[];
  expect(Object.keys(compose!).sort()).toEqual(['services', 'volumes']);
});
