import { apiError } from './errors/api-error';

/** Bounds of one kind of work in this process. */
export interface WorkQueueBounds {
  /** Most that run at once. */
  readonly running: number;
  /** Most that wait; more are rejected. */
  readonly waiting: number;
  /** Most of one key that run at once, while its others wait; default: no bound. */
  readonly runningPerKey?: number;
  /** Most of one key that wait, and of one that is preferred; default: no bound. */
  readonly waitingPerKey?: number;
  readonly waitingPerPreferredKey?: number;
  /** Longest wait (ms); default: until it may run. */
  readonly maxWaitMs?: number;
  /** The error of work that cannot wait, or has waited for too long; default: `overloaded`. */
  readonly refusal?: () => Error;
}

/** Work that waits for its turn. */
interface Waiting {
  readonly key: string;
  readonly isPreferred: boolean;
  /** The entries of a key are in different rounds; those of one round start in the order in which they came. */
  readonly round: number;
  start(): void;
  reject(error: Error): void;
}

/**
 * Runs a few pieces of work at a time and lets the rest wait in a short queue (contract §8.3, §8.4). Round-robin by key;
 * preferred and other work alternate. Work of keys that have used up their share does not hold up others.
 */
export class WorkQueue {
  /** The keys of what runs. */
  private readonly running: string[] = [];
  /** Ordered by round. */
  private readonly waiting: Waiting[] = [];
  /** The round and the kind of what started last. */
  private round = 0;
  private wasPreferred = false;

  constructor(private readonly bounds: WorkQueueBounds) {}

  /** Is true when nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.running.length === 0;
  }

  /**
   * Runs `work` as soon as it may run.
   * @param isPreferred whether it takes the place of work that is not, when the queue is full
   * @throws ApiError overloaded (503), or the `refusal`, when the queue is or gets full, or the wait is too long
   */
  async run<T>(key: string, work: () => Promise<T>, isPreferred = false): Promise<T> {
    if (this.mayRun(key)) this.running.push(key);
    else await this.wait(key, isPreferred);
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(key), 1);
      this.startNext();
    }
  }

  private mayRun(key: string): boolean {
    const { running, runningPerKey = Infinity } = this.bounds;
    return this.running.length < running && this.running.filter((one) => one === key).length < runningPerKey;
  }

  /** Resolves when the work may run; it counts as running then. */
  private async wait(key: string, isPreferred: boolean): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const round = (this.waiting.findLast((one) => one.key === key)?.round ?? this.round) + 1;
    const entry: Waiting = { key, isPreferred, round, start, reject };
    this.makeRoom(entry);
    this.waiting.splice(this.waiting.findLastIndex((one) => one.round <= round) + 1, 0, entry);
    const { maxWaitMs } = this.bounds;
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => this.reject(entry), maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** @throws the refusal when the queue is full, and nothing in it gives up its place */
  private makeRoom({ key, isPreferred, round }: Waiting): void {
    const { waiting, waitingPerKey = Infinity, waitingPerPreferredKey = Infinity } = this.bounds;
    const ofKey = this.waiting.filter((one) => one.key === key).length;
    if (ofKey >= (isPreferred ? waitingPerPreferredKey : waitingPerKey)) throw this.refusal();
    if (this.waiting.length < waiting) return;
    const last =
      this.waiting.findLast((one) => isPreferred && !one.isPreferred) ??
      this.waiting.findLast((one) => isPreferred === one.isPreferred && round < one.round);
    if (!last) throw this.refusal();
    this.reject(last);
  }

  private startNext(): void {
    const isNext = ({ key, isPreferred }: Waiting): boolean => isPreferred !== this.wasPreferred && this.mayRun(key);
    const next = this.waiting.find(isNext) ?? this.waiting.find(({ key }) => this.mayRun(key));
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.running.push(next.key);
    [this.round, this.wasPreferred] = [Math.max(this.round, next.round), next.isPreferred];
    next.start();
  }

  private reject(entry: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    entry.reject(this.refusal());
  }

  private refusal(): Error {
    // The client should try again soon: the queue is short.
    return this.bounds.refusal?.() ?? apiError('overloaded', undefined, { 'retry-after': '2' });
  }
}
