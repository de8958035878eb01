import { apiError } from '../errors/api-error';

/** Bounds of one kind of work in this process. */
export interface WorkQueueBounds {
  /** Most that run at once. */
  readonly running: number;
  /** Most that wait; more are rejected. */
  readonly waiting: number;
  /** Most of one key that run at once, while its others wait; default: no bound. */
  readonly runningPerKey?: number;
  /** Most of one key that wait; default: no bound. */
  readonly waitingPerKey?: number;
  /** Longest wait (ms); default: until it may run. */
  readonly maxWaitMs?: number;
}

/** Work that waits for its turn. */
interface Waiting {
  readonly key: string;
  readonly isUrgent: boolean;
  start(): void;
  reject(error: Error): void;
}

/**
 * Runs expensive work a few at a time and lets the rest wait in a short queue (contract §1.1). Work of keys that have
 * used up their share does not hold up others.
 */
export class WorkQueue {
  /** The keys of what runs. */
  private readonly running: string[] = [];
  private readonly waiting: Waiting[] = [];

  constructor(private readonly bounds: WorkQueueBounds) {}

  /**
   * Runs `work` as soon as it may run.
   * @param isUrgent whether it runs before work that is not urgent, whose place it takes when the queue is full
   * @throws ApiError overloaded (503) when the queue is or gets full, or has had no room for too long
   */
  async run<T>(key: string, work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (this.mayRun(key)) this.running.push(key);
    else await this.wait(key, isUrgent);
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(key), 1);
      const next = this.waiting.find((one) => this.mayRun(one.key));
      if (next) this.start(next);
    }
  }

  private mayRun(key: string): boolean {
    const { running, runningPerKey = Infinity } = this.bounds;
    return this.running.length < running && this.running.filter((one) => one === key).length < runningPerKey;
  }

  /** Resolves when the work may run; it counts as running then. */
  private async wait(key: string, isUrgent: boolean): Promise<void> {
    this.makeRoom(key, isUrgent);
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const entry: Waiting = { key, isUrgent, start, reject };
    const next = isUrgent ? this.waiting.findIndex((one) => !one.isUrgent) : -1;
    this.waiting.splice(next === -1 ? this.waiting.length : next, 0, entry);
    const { maxWaitMs } = this.bounds;
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => this.reject(entry), maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** @throws ApiError overloaded when the queue is full, and nothing in it is less urgent */
  private makeRoom(key: string, isUrgent: boolean): void {
    const { waiting, waitingPerKey = Infinity } = this.bounds;
    const ofKey = this.waiting.filter((one) => one.key === key);
    const full = ofKey.length >= waitingPerKey ? ofKey : this.waiting.length >= waiting ? this.waiting : undefined;
    if (!full) return;
    const last = full.findLast((one) => !one.isUrgent);
    if (!isUrgent || !last) throw overloaded();
    this.reject(last);
  }

  private start(entry: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    this.running.push(entry.key);
    entry.start();
  }

  private reject(entry: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    entry.reject(overloaded());
  }
}

/** The client should try again soon: the queue is short. */
function overloaded(): Error {
  return apiError('overloaded', undefined, { 'Retry-After': '2' });
}
