import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { connect as createSocket } from 'node:net';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import { endProcess, runningProcesses, startOf } from '../src/database/embedded/processes';
import { testFolder } from './support/run-folder';

interface Service {
  process: ChildProcess;
  uri: string;
  daemonPid: number;
  log: string[];
}

interface Failure {
  code: number | null;
  stderr: string;
}

describe('the embedded database', () => {
  let dataDir: string;
  let children: ChildProcess[];

  beforeEach(() => {
    dataDir = testFolder();
    children = [];
  });

  afterEach(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      await kill(child, 'SIGKILL');
    }
    for (const pid of daemons()) await endProcess(pid, 0);
  });

  it('leaves nothing running and no lock when it is stopped, and finds its data again', async () => {
    const first = await up();
    await write(first.uri, 1);
    expect(await kill(first.process, 'SIGTERM')).toBe(0);
    expect(daemons()).toEqual([]);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    const second = await up();
    expect(await read(second.uri)).toEqual([1]);
  });

  it('refuses a second live start on one data folder, says who is running and leaves that one alone', async () => {
    const first = await up();
    const second = await fails();
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^DataDirInUse: /);
    expect(second.stderr).toContain(dataDir);
    expect(second.stderr).toContain(`process ${first.process.pid}`);
    await write(first.uri, 1);
    expect(await read(first.uri)).toEqual([1]);
  });

  it('ends the database that a killed service has left behind, and serves its data', async () => {
    const first = await up();
    await write(first.uri, 1);
    await kill(first.process, 'SIGKILL');
    expect(daemons()).toEqual([first.daemonPid]);
    const second = await up();
    expect(second.log).toEqual([expect.stringContaining(`process ${first.daemonPid}`)]);
    expect(daemons()).toEqual([second.daemonPid]);
    expect(await read(second.uri)).toEqual([1]);
  });

  it('lets one of several win that start at once on what a killed service has left behind', async () => {
    const first = await up();
    await kill(first.process, 'SIGKILL');
    const racers = await Promise.all(Array.from({ length: 4 }, () => outcome(launch())));
    expect(racers.filter((racer) => 'uri' in racer)).toHaveLength(1);
    for (const loser of racers.filter((racer) => 'stderr' in racer)) expect(loser.stderr).toMatch(/^DataDirInUse: /);
    expect(daemons()).toHaveLength(1);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
  });

  it.each([
    ['names a process that is gone', JSON.stringify({ id: 'gone', pid: 2 ** 22 + 1, started: 'then' })],
    ['names a process whose id another has now', JSON.stringify({ id: 'other', pid: process.pid, started: 'then' })],
    ['was cut off by a crash of the machine', ''],
  ])('takes over a lock that %s', async (_, lock) => {
    writeFileSync(join(dataDir, 'lock'), lock);
    await up();
  });

  it('tells the service when the database dies', async () => {
    const service = await up();
    process.kill(service.daemonPid, 'SIGKILL');
    const [code] = (await once(service.process, 'exit')) as [number];
    expect(code).toBe(3);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('keeps every acknowledged write when the database is killed', async () => {
    const service = await up();
    const connection = await connect(service.uri);
    const acknowledged: number[] = [];
    const writer = (async () => {
      for (let n = 0; ; n++) {
        await connection.collection('writes').insertOne({ n });
        acknowledged.push(n);
      }
    })().catch(() => undefined);
    while (acknowledged.length < 300) await new Promise(setImmediate);
    process.kill(service.daemonPid, 'SIGKILL');
    await once(service.process, 'exit');
    await connection.close(true);
    await writer;
    const stored = await read((await up()).uri);
    expect(acknowledged.filter((n) => !stored.includes(n))).toEqual([]);
  });

  it('listens on 127.0.0.1 only', async () => {
    const port = Number(new URL((await up()).uri).port);
    await expect(once(createSocket({ host: '127.0.0.2', port }), 'connect')).rejects.toThrow();
  });

  function launch(): ChildProcess {
    const script = join(__dirname, 'support', 'embedded-service.cjs');
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  }

  async function up(): Promise<Service> {
    const result = await outcome(launch());
    if ('stderr' in result) throw new Error(result.stderr);
    return result;
  }

  async function fails(): Promise<Failure> {
    const result = await outcome(launch());
    if ('uri' in result) throw new Error('it started');
    return result;
  }

  function daemons(): number[] {
    return runningProcesses()
      .filter(({ pid, args }) => args.includes(join(dataDir, 'secantus')) && startOf(pid) !== undefined)
      .map(({ pid }) => pid);
  }
});

/** Either the line that the service writes when it is up, or how it ended. */
function outcome(child: ChildProcess): Promise<Service | Failure> {
  return new Promise((resolve) => {
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    child.stdout?.once('data', (line) => resolve({ process: child, ...JSON.parse(String(line)) }));
    child.once('close', (code) => resolve({ code, stderr }));
  });
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await ended)[0];
}

function connect(uri: string): ReturnType<ReturnType<typeof createConnection>['asPromise']> {
  return createConnection(uri, { serverSelectionTimeoutMS: 2000 }).asPromise();
}

async function write(uri: string, n: number): Promise<void> {
  const connection = await connect(uri);
  await connection.collection('writes').insertOne({ n });
  await connection.close();
}

async function read(uri: string): Promise<unknown[]> {
  const connection = await connect(uri);
  const found = await connection.collection('writes').find().sort({ n: 1 }).toArray();
  await connection.close();
  return found.map(({ n }) => n as unknown);
}
