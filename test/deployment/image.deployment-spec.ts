import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { onDatabase } from '../support/connection';
import { databaseUri } from '../support/database';
import { image } from '../support/dockerfile';
import { Program } from '../support/program.mjs';
import { testFolder } from '../support/run-folder';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET } from '../support/service';
import { statusOf, until } from '../support/until';

const ROOT = join(__dirname, '../..');
/** Stands for the base image of the Dockerfile, so nothing is pulled. */
const BASE = 'docker.io/library/node:24-slim';
const MINUTES = 60_000;

/** Builds and runs images in a folder of its own, without a daemon. */
class Buildah {
  private readonly folder = testFolder();

  run(...args: string[]): Promise<string> {
    const options = { cwd: ROOT, maxBuffer: 1e8 };
    return promisify(execFile)('buildah', this.arguments(args), options).then(({ stdout }) => stdout.trim());
  }

  start(...args: string[]): Program {
    return new Program(this.arguments(args), process.env as Record<string, string>, ROOT, 'buildah');
  }

  private arguments([command = '', ...args]: string[]): string[] {
    const storage = ['--root', join(this.folder, 'storage'), '--runroot', join(this.folder, 'run')];
    return [...storage, command, ...args];
  }
}

/** Debian with the Node.js and the npm that run this. */
function makeBase(): string {
  const folder = join(testFolder(), 'base');
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder], {
    stdio: 'pipe',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  mkdirSync(join(folder, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'));
  cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')]);
  appendFileSync(join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  appendFileSync(join(folder, 'etc/group'), 'node:x:1000:\n');
  return folder;
}

describe('the image of the Dockerfile, built by buildah', () => {
  const MONGODB_URI = databaseUri('deployment-image');
  const buildah = new Buildah();
  let container: string;
  let service: Program;

  beforeAll(async () => {
    const empty = await buildah.run('from', 'scratch');
    await buildah.run('copy', '--quiet', empty, makeBase(), '/');
    await buildah.run('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', empty);
    await buildah.run('commit', '--quiet', empty, BASE);
    const machine = ['--isolation', 'chroot', '--network', 'host', '--volume', `${homedir()}/.npm:/root/.npm`];
    await buildah.run('bud', '--pull-never', '--format', 'docker', ...machine, '--tag', 'roster', '.');
    container = await buildah.run('from', '--pull-never', 'roster');
    const port = await freePort();
    const settings = { ...ADMIN_SETTINGS, MONGODB_URI, JWT_SECRET, PORT: String(port), MANAGEMENT_PORT: '0' };
    const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    service = buildah.start('run', '--isolation', 'chroot', ...env, container, '--', ...image.command);
    await until(async () => (await statusOf('/health/ready', port)) === 200);
  }, 10 * MINUTES);
  afterAll(async () => {
    await service?.stop();
    await buildah.run('rm', '--all');
    await buildah.run('rmi', '--all', '--force');
    await onDatabase(MONGODB_URI, (connection) => connection.dropDatabase());
  }, MINUTES);

  it('runs as a user that can change none of its files', async () => {
    const inside = (script: string): Promise<string> =>
      buildah.run('run', '--isolation', 'chroot', container, '--', 'sh', '-c', script);
    expect(await inside('id -u')).toBe('1000');
    expect(await inside('find /app -writable | head -3')).toBe('');
  });

  it('lists the Admins with the command of docs/operating.md', async () => {
    const settings = ['--env', `MONGODB_URI=${MONGODB_URI}`, '--env', `JWT_SECRET=${JWT_SECRET}`];
    const command = ['node', 'dist/commands/main.js', 'admin', 'list'];
    const output = await buildah.run('run', '--isolation', 'chroot', ...settings, container, '--', ...command);
    expect(output).toContain(ADMIN.username);
  });
});
