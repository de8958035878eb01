import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect as createSocket } from 'node:net';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import { connectionOptions } from '../src/database/connection-options';
import { onDatabase } from './support/connection';
import { Program } from './support/program.mjs';
import { processesIn, testFolder } from './support/run-folder';

const HOLDER = join(__dirname, 'support/embedded-database.mjs');

class Holder extends Program {
  uri = '';

  constructor(dataDir: string) {
    super([HOLDER, dataDir]);
  }

  async up(): Promise<this> {
    [this.uri = ''] = await this.wrote(/mongodb:\S+/);
    return this;
  }
}

describe('the embedded database', () => {
  let dataDir: string;
  let holders: Holder[];

  beforeEach(() => {
    dataDir = testFolder();
    holders = [];
  });
  afterEach(() => Promise.all(holders.map((holder) => holder.kill())));

  it('lets one of several simultaneous starts take over from a killed one, and keeps the data', async () => {
    const first = await up();
    await write(first.uri, 1);
    await first.kill();
    const [left] = daemons();
    const racers = Array.from({ length: 4 }, start);
    await Promise.allSettled(racers.map((racer) => racer.up()));
    const [winner] = racers.filter(({ uri }) => uri !== '');
    expect(racers.filter(({ errors }) => errors.startsWith('Another Roster is running'))).toHaveLength(3);
    expect(winner?.output).toContain(`Stopped the database that a killed start left running (process ${left})`);
    expect(daemons()).toHaveLength(1);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
    expect(await read(winner!.uri)).toEqual([1]);
  });

  it('is started again at the same address when it is killed, with every acknowledged write', async () => {
    const holder = await up();
    const connection = await createConnection(holder.uri, connectionOptions).asPromise();
    const acknowledged: number[] = [];
    const writer = (async () => {
      for (let n = 0; ; n++) {
        await connection.collection('writes').insertOne({ n });
        acknowledged.push(n);
      }
    })().catch(() => undefined);
    while (acknowledged.length < 300) await new Promise(setImmediate);
    process.kill(daemons()[0]!, 'SIGKILL');
    await holder.wrote(/died \(SIGKILL\); restarting it/);
    await connection.close(true);
    await writer;
    const stored = await read(holder.uri);
    expect(acknowledged.filter((n) => !stored.includes(n))).toEqual([]);
  });

  it('is started again when its storage engine has failed', async () => {
    const holder = await up();
    await write(holder.uri, 1);
    appendFileSync(
      join(dataDir, 'database.log'),
      'the process must exit and restart: WT_PANIC: WiredTiger library panic\n',
    );
    await holder.wrote(/died \(its storage engine failed\); restarting it/);
    expect(await read(holder.uri)).toEqual([1]);
  });

  it('deletes its log while it runs', async () => {
    const { uri } = await up();
    const isLog = (name: string): boolean => name.startsWith('WiredTigerLog.');
    const first = join(dataDir, 'database', readdirSync(join(dataDir, 'database')).find(isLog)!);
    await onDatabase(uri, async (connection) => {
      for (let n = 0; n < 200 && existsSync(first); n++) {
        await connection.collection('large').insertOne({ data: randomBytes(2 ** 20) });
      }
    });
    expect(existsSync(first)).toBe(false);
  }, 60_000);

  it('builds an index of 200,000 records', async () => {
    // Without the time limit of requests.
    const connection = await createConnection((await up()).uri).asPromise();
    const records = connection.collection('many');
    for (let n = 0; n < 200; n++) {
      const some = Array.from({ length: 1000 }, (_, index) => ({ key: `key ${1000 * n + index}`, other: index }));
      await records.insertMany(some);
    }
    await records.createIndex({ key: 1, other: 1 });
    expect(await records.indexes()).toHaveLength(2);
    await connection.close();
  }, 60_000);

  it('listens on 127.0.0.1 only', async () => {
    const port = Number(new URL((await up()).uri).port);
    await expect(once(createSocket({ host: '127.0.0.2', port }), 'connect')).rejects.toThrow();
  });

  it('asks for a password, which only its owner can read', async () => {
    const { uri } = await up();
    const { username, password } = new URL(uri);
    await expect(write(uri.replace(`${username}:${password}@`, ''), 1)).rejects.toThrow('requires authentication');
    await expect(write(uri.replace(password, 'wrong'), 1)).rejects.toThrow('authentication failed');
    expect(statSync(join(dataDir, 'database-password')).mode & 0o777).toBe(0o600);
  });

  it('closes its folder to other users, and says so', async () => {
    chmodSync(dataDir, 0o777);
    const { output } = await up();
    expect(output).toContain(`Other users of this machine could open ${dataDir}; now only you can.`);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('refuses an open folder that holds other things, and leaves it as it is', async () => {
    writeFileSync(join(dataDir, 'diary.txt'), 'private');
    chmodSync(dataDir, 0o755);
    const holder = start();
    await expect(holder.up()).rejects.toThrow();
    expect(holder.errors).toContain(`${dataDir}, and it holds other things than Roster's data`);
    expect(readdirSync(dataDir)).toEqual(['diary.txt']);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  });

  function start(): Holder {
    const holder = new Holder(dataDir);
    holders.push(holder);
    return holder;
  }

  const up = (): Promise<Holder> => start().up();

  const daemons = (): number[] => processesIn(dataDir);
});

const write = (uri: string, n: number): Promise<unknown> =>
  onDatabase(uri, (connection) => connection.collection('writes').insertOne({ n }));

const read = (uri: string): Promise<unknown[]> =>
  onDatabase(uri, (connection) => connection.collection('writes').distinct('n'));
