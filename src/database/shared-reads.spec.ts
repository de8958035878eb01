import { SharedReads } from './shared-reads';

/** Reads that end when the test says so. Each returns its number. */
class Reads {
  readonly begun: { resolve: (number: number) => void; reject: (error: Error) => void }[] = [];

  readonly read = (): Promise<number> => new Promise((resolve, reject) => void this.begun.push({ resolve, reject }));

  /** Ends the read with this number, and waits for what follows from it. */
  async end(number: number, error?: Error): Promise<void> {
    const { resolve, reject } = this.begun[number]!;
    if (error) reject(error);
    else resolve(number);
    await new Promise(setImmediate);
  }
}

let shared: SharedReads;
let reads: Reads;
beforeEach(() => {
  shared = new SharedReads();
  reads = new Reads();
});
const ask = (key = 'page'): Promise<number> => shared.run(key, reads.read);

describe('equal reads', () => {
  it('begin at once when none is running', () => {
    void ask();
    expect(reads.begun).toHaveLength(1);
  });

  it('that are asked for while one runs share the next one, which begins after they asked', async () => {
    const results = [ask(), ask(), ask()];
    expect(reads.begun).toHaveLength(1);
    await reads.end(0);
    expect(reads.begun).toHaveLength(2);
    results.push(ask());
    await reads.end(1);
    await reads.end(2);
    expect(await Promise.all(results)).toEqual([0, 1, 1, 2]);
  });

  it('are not affected by the failure of the one before', async () => {
    const [first, second] = [ask(), ask()];
    const failure = expect(first).rejects.toThrow('read failed');
    await reads.end(0, new Error('read failed'));
    await failure;
    await reads.end(1);
    expect(await second).toBe(1);
  });

  it('are forgotten when nobody waits for another', async () => {
    for (const number of [0, 1]) {
      const result = ask();
      await reads.end(number);
      expect(await result).toBe(number);
    }
    expect(shared).toEqual({ running: new Map() });
  });
});

it('other reads do not wait', () => {
  void ask('page');
  void ask('other page');
  expect(reads.begun).toHaveLength(2);
});
