import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Found, Rows, Search, Work } from './search-worker';

/** The tests run the source, which Node.js reads as it is. */
const FILE = join(__dirname, `search-worker${extname(__filename)}`);

/** The memory that the thread takes for itself (MiB): the options of the process are for the service. */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

type Call = Pick<PromiseWithResolvers<never>, 'resolve' | 'reject'>;

/** The thread that keeps the indexes of a service, so that no search holds up its requests. */
export class SearchThread {
  private worker: Worker | undefined;
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;
  private lastIndex = 0;
  private isStopped = false;

  /** @returns the number of a new index. @throws Error, as all others, when the thread cannot be started, or ends */
  async create(): Promise<number> {
    const index = (this.lastIndex += 1);
    await this.call(index, 'create');
    return index;
  }

  /** Adds rows to an index. @returns the memory of all indexes (bytes); undefined when this one is gone */
  add(index: number, add: Rows, isSorted: boolean): Promise<number | undefined> {
    return this.call(index, { add, isSorted });
  }

  /** @returns undefined when the index is gone */
  find(index: number, find: Search): Promise<Found | undefined> {
    return this.call(index, { find });
  }

  drop(index: number): Promise<void> {
    return this.call(index, 'drop');
  }

  /** Ends the thread for good, and with it all indexes. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.worker?.terminate();
  }

  private async call<T>(index: number, work: Work): Promise<T> {
    if (this.isStopped) throw new Error('The search has stopped.');
    this.worker ??= this.start();
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const call = (this.lastCall += 1);
    this.calls.set(call, { resolve, reject });
    this.worker.postMessage({ call, index, work });
    return promise;
  }

  private start(): Worker {
    const worker = new Worker(FILE, { resourceLimits: LIMITS, execArgv: ['--no-warnings'] });
    worker.unref();
    worker.on('message', ({ call, result }: { call: number; result: never }) => {
      this.calls.get(call)?.resolve(result);
      this.calls.delete(call);
    });
    const end = (reason: unknown): void => {
      this.worker = undefined;
      for (const { reject } of this.calls.values()) reject(reason);
      this.calls.clear();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('The thread of the search has ended.')));
    return worker;
  }
}
