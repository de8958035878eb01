import { once } from 'node:events';
import { appendFileSync, chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect as createSocket } from 'node:net';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import { DRIVER } from '../support/connection';
import { onDatabase } from '../support/connection';
import { Program } from '../support/program.mjs';
import { processesIn, testFolder } from '../support/run-folder';
import { until } from '../support/until';

const HOLDER = join(__dirname, '../support/embedded-database.mjs');

class Holder extends Program {
  uri = '';

  constructor(private readonly dataDir: string) {
    super([HOLDER, dataDir]);
  }

  async up(): Promise<this> {
    [this.uri = ''] = await this.wrote(/mongodb:\S+/);
    return this;
  }

  /** Also its database, which takes seconds to close the files of many records. */
  override async kill(): Promise<void> {
    await super.kill();
    for (const pid of processesIn(this.dataDir)) process.kill(pid, 'SIGKILL');
  }
}

describe('the embedded database', () => {
  let dataDir: string;
  let holder: Holder;

  beforeAll(async () => {
    dataDir = testFolder();
    holder = await new Holder(dataDir).up();
  });
  afterAll(() => holder.kill());

  it('listens on 127.0.0.1 only', async () => {
    const port = Number(new URL(holder.uri).port);
    await expect(once(createSocket({ host: '127.0.0.2', port }), 'connect')).rejects.toThrow();
  });

  it('asks for a password, which only its owner can read', async () => {
    const { username, password } = new URL(holder.uri);
    const nobody = holder.uri.replace(`${username}:${password}@`, '');
    await expect(write(nobody, 1)).rejects.toThrow('requires authentication');
    await expect(write(holder.uri.replace(password, 'wrong'), 1)).rejects.toThrow('authentication failed');
    expect(statSync(join(dataDir, 'database-password')).mode & 0o777).toBe(0o600);
  });

  it('is started again at the same address when it is killed, with every acknowledged write', async () => {
    const connection = await createConnection(holder.uri, DRIVER).asPromise();
    const acknowledged: number[] = [];
    const writer = (async () => {
      for (let n = 0; ; n++) {
        await connection.collection('writes').insertOne({ n });
        acknowledged.push(n);
      }
    })().catch(() => undefined);
    await until(() => acknowledged.length >= 300);
    process.kill(processesIn(dataDir)[0]!, 'SIGKILL');
    await holder.wrote(/died \(SIGKILL\); restarting it/);
    await connection.close(true);
    await writer;
    const stored = await read(holder.uri);
    expect(acknowledged.filter((n) => !stored.includes(n))).toEqual([]);
  });

  it('is started again when its storage engine has failed', async () => {
    await write(holder.uri, -1);
    appendFileSync(
      join(dataDir, 'database.log'),
      'the process must exit and restart: WT_PANIC: WiredTiger library panic\n',
    );
    await holder.wrote(/died \(its storage engine failed\); restarting it/);
    expect(await read(holder.uri)).toContain(-1);
  });
});

describe('a data folder that other users can open', () => {
  let dataDir: string;
  let holder: Holder;

  beforeEach(() => (dataDir = testFolder()));
  afterEach(() => holder.kill());

  it('is closed, and the database says so', async () => {
    chmodSync(dataDir, 0o777);
    holder = await new Holder(dataDir).up();
    expect(holder.output).toContain(`Other users of this machine could open ${dataDir}; now only you can.`);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('is refused if it holds other things, and does not change', async () => {
    writeFileSync(join(dataDir, 'diary.txt'), 'private');
    chmodSync(dataDir, 0o755);
    holder = new Holder(dataDir);
    await expect(holder.up()).rejects.toThrow();
    expect(holder.errors).toContain(`${dataDir}, and it holds other things than Roster's data`);
    expect(readdirSync(dataDir)).toEqual(['diary.txt']);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  });
});

const write = (uri: string, n: number): Promise<unknown> =>
  onDatabase(uri, (connection) => connection.collection('writes').insertOne({ n }));

const read = (uri: string): Promise<unknown[]> =>
  onDatabase(uri, (connection) => connection.collection('writes').distinct('n'));
