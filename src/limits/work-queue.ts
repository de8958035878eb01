import { apiError } from '../errors/api-error';

/** How much work of one kind runs and waits in this process. */
export interface WorkQueueBounds {
  /** How many run at once. */
  readonly running: number;
  /** How many wait at most; more are rejected. */
  readonly waiting: number;
  /** How many of one key run at once, while its others wait; default: no bound of its own. */
  readonly runningPerKey?: number;
  /** How many of one key wait at most; default: no bound of its own. */
  readonly waitingPerKey?: number;
  /** How long one waits at most (ms); default: until it may run. */
  readonly maxWaitMs?: number;
}

/** Work that waits for its turn. */
interface Waiting {
  readonly key: string;
  readonly isUrgent: boolean;
  start(): void;
  reject(): void;
}

/** When a client should try again (s): the queue is short, so it soon has room. */
const RETRY_AFTER = { 'Retry-After': '2' };

/**
 * Runs expensive work a few at a time and lets the rest wait in a short queue (contract §1.1). Work of keys that have
 * used up their share does not hold up others.
 */
export class WorkQueue {
  private running = 0;
  private readonly runningByKey = new Map<string, number>();
  private readonly waiting: Waiting[] = [];

  constructor(private readonly bounds: WorkQueueBounds) {}

  /**
   * Runs `work` as soon as it may run.
   *
   * @param key who the work is for: an address, or an account's id
   * @param isUrgent whether it runs before work that is not urgent, whose place it takes when the queue is full
   * @returns what `work` returned
   * @throws ApiError overloaded (503, code 1903) when the queue is or gets full, or has had no room for too long; `work`
   *   is not run then
   */
  async run<T>(key: string, work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (!this.mayRun(key)) await this.wait(key, isUrgent);
    else this.begin(key);
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  private mayRun(key: string): boolean {
    const { running, runningPerKey = Infinity } = this.bounds;
    return this.running < running && (this.runningByKey.get(key) ?? 0) < runningPerKey;
  }

  private begin(key: string): void {
    this.running += 1;
    this.runningByKey.set(key, (this.runningByKey.get(key) ?? 0) + 1);
  }

  private end(key: string): void {
    this.running -= 1;
    const left = this.runningByKey.get(key)! - 1;
    if (left === 0) this.runningByKey.delete(key);
    else this.runningByKey.set(key, left);
    this.waiting.find((one) => this.mayRun(one.key))?.start();
  }

  /** Resolves when the work may run; it counts as running then. */
  private wait(key: string, isUrgent: boolean): Promise<void> {
    this.makeRoom(key, isUrgent);
    return new Promise<void>((resolve, reject) => {
      const { maxWaitMs } = this.bounds;
      const entry: Waiting = {
        key,
        isUrgent,
        start: () => {
          this.leave(entry, timer);
          this.begin(key);
          resolve();
        },
        reject: () => {
          this.leave(entry, timer);
          reject(overloaded());
        },
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => entry.reject(), maxWaitMs);
      const next = isUrgent ? this.waiting.findIndex((one) => !one.isUrgent) : -1;
      this.waiting.splice(next === -1 ? this.waiting.length : next, 0, entry);
    });
  }

  /** @throws ApiError overloaded when the queue is full, and nothing in it is less urgent */
  private makeRoom(key: string, isUrgent: boolean): void {
    const { waiting, waitingPerKey = Infinity } = this.bounds;
    const ofKey = this.waiting.filter((one) => one.key === key);
    const full = ofKey.length >= waitingPerKey ? ofKey : this.waiting.length >= waiting ? this.waiting : undefined;
    if (!full) return;
    const last = full.findLast((one) => !one.isUrgent);
    if (!isUrgent || !last) throw overloaded();
    last.reject();
  }

  private leave(entry: Waiting, timer: NodeJS.Timeout | undefined): void {
    clearTimeout(timer);
    this.waiting.splice(this.waiting.indexOf(entry), 1);
  }
}

function overloaded(): Error {
  return apiError('overloaded', undefined, RETRY_AFTER);
}
