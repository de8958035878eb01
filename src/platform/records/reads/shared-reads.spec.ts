import { SharedReads } from './shared-reads';

/** Reads that end when the test says so. Each returns its number. */
class Reads {
  readonly begun: { resolve: (number: number) => void; reject: (error: Error) => void }[] = [];

  readonly read = (): Promise<number> => new Promise((resolve, reject) => void this.begun.push({ resolve, reject }));

  /** Ends the read with this number, once it has begun. */
  async end(number: number, error?: Error): Promise<void> {
    await this.beginning(number + 1);
    const { resolve, reject } = this.begun[number]!;
    if (error) reject(error);
    else resolve(number);
  }

  /** Resolves when so many have begun. */
  async beginning(count: number): Promise<void> {
    while (this.begun.length < count) await new Promise(setImmediate);
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
  it('that are asked for in one turn of the event loop share one', async () => {
    const results = [ask(), ask()];
    await reads.end(0);
    expect(await Promise.all(results)).toEqual([0, 0]);
  });

  it('that are asked for while one runs share the next one, which begins after it', async () => {
    const results = [ask()];
    await reads.beginning(1);
    results.push(ask(), ask());
    await new Promise(setImmediate);
    expect(reads.begun).toHaveLength(1);
    await reads.end(0);
    await reads.beginning(2);
    results.push(ask());
    await reads.end(1);
    await reads.end(2);
    expect(await Promise.all(results)).toEqual([0, 1, 1, 2]);
  });

  it('that fail also fail for those who wait for the next one, and for nobody after them', async () => {
    const errors = [ask().catch((error: unknown) => error)];
    await reads.beginning(1);
    errors.push(ask().catch((error: unknown) => error));
    const failed = new Error('no database');
    await reads.end(0, failed);
    expect(await Promise.all(errors)).toEqual([failed, failed]);
    const result = ask();
    await reads.end(1);
    expect(await result).toBe(1);
  });
});
