import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';
import { testFolder } from '../support/run-folder';

const RACER = join(__dirname, '../support/lock-racer.mjs');
const RACERS = 4;
const ROUNDS = 60;
const DEAD = JSON.stringify({ id: 'dead', pid: 2 ** 22 + 1, started: 'then', port: 1 });

describe('a process lock', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = testFolder();
    path = join(folder, 'lock');
  });

  it('is held once, also within one process, until it is released', () => {
    const lock = ProcessLock.take(path);
    expect(() => ProcessLock.take(path)).toThrow(LockHeld);
    lock.release();
    ProcessLock.take(path).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['names a process that has ended', DEAD, { port: 1 }],
    ['names a process whose id another has now', DEAD.replace(/"pid":\d+/, `"pid":${process.pid}`), { port: 1 }],
    ['was cut off by a crash of the machine', '', {}],
  ])('is taken over if it %s, with what its holder described', (_, text, described) => {
    writeFileSync(path, text);
    const { holder } = ProcessLock.take(path);
    expect(holder).toEqual({ ...described, id: expect.any(String), pid: process.pid, started: expect.any(String) });
    expect(holder).toEqual(JSON.parse(readFileSync(path, 'utf8')));
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('of a dead holder goes to exactly one of those that want it, also when one died on the way', async () => {
    const locks = Array.from({ length: ROUNDS }, (_, round) => join(folder, `lock-${round}`));
    for (const lock of locks) writeFileSync(lock, DEAD);
    for (const lock of locks.slice(ROUNDS / 2)) writeFileSync(`${lock}.dead`, DEAD.replace('"dead"', '"dead-too"'));
    const racers = Array.from({ length: RACERS }, () => fork(RACER));
    const messages = (): Promise<unknown[]> =>
      Promise.all(racers.map(async (racer) => (await once(racer, 'message'))[0]));
    try {
      await messages();
      for (const lock of locks) {
        const got = messages();
        for (const racer of racers) racer.send(lock);
        expect((await got).sort()).toEqual([false, false, false, true]);
      }
      expect(readdirSync(folder)).toHaveLength(ROUNDS);
    } finally {
      for (const racer of racers) racer.kill('SIGKILL');
    }
  });
});
