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
   * @param isUrgent whether it runs before work that is not urgent
   * @returns what `work` returned
   * @throws ApiError overloaded (503, code 1903) when the queue is full, or has had no room for too long; `work` is not
   *   run then
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
    const next = this.waiting.findIndex((one) => this.mayRun(one.key));
    if (next !== -1) this.waiting.splice(next, 1)[0]!.start();
  }

  /** Resolves when the work may run; it counts as running then. */
  private wait(key: string, isUrgent: boolean): Promise<void> {
    const { waiting, waitingPerKey = Infinity, maxWaitMs } = this.bounds;
    const ofKey = this.waiting.filter((one) => one.key === key).length;
    if (this.waiting.length >= waiting || ofKey >= waitingPerKey) throw overloaded();
    return new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        key,
        isUrgent,
        start: () => {
          clearTimeout(timer);
          this.begin(key);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(overloaded());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      const behind = isUrgent ? this.waiting.findIndex((one) => !one.isUrgent) : -1;
      this.waiting.splice(behind === -1 ? this.waiting.length : behind, 0, entry);
    });
  }
}

function overloaded(): Error {
  return apiError('overloaded', undefined, RETRY_AFTER);
}
