import { Counter } from './counter';
import { tooManyRequests } from './too-many-requests';

/** What goes on under one key in this process. */
interface Lane {
  running: number;
  /** Settles when the last one in the queue has been let in or turned away. */
  queue: Promise<void>;
  queued: number;
  /** Wakes the one at the head of the queue when an attempt ends. */
  wake?: () => void;
}

/**
 * A limit on failures. What cannot be known before an attempt has ended is not guessed: while as many are under way as
 * may still fail, the next one waits for one of them. So a burst of guesses gets no further than guesses one by one, and
 * many right logins at once all get through. Each instance of the service has its own queue.
 */
export class FailureLimit {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly failures: Counter,
    private readonly limit: number,
  ) {}

  /**
   * Lets an attempt begin; `leave` must follow.
   * @throws Failure tooManyRequests when there were as many failures as may be
   */
  async enter(key: string): Promise<void> {
    const lane = this.lanes.get(key) ?? { running: 0, queue: Promise.resolve(), queued: 0 };
    this.lanes.set(key, lane);
    lane.queued += 1;
    const turn = lane.queue.then(() => this.letIn(key, lane));
    lane.queue = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      lane.queued -= 1;
      this.tidy(key, lane);
    }
  }

  /** Counts a failure; to be called before `leave`. */
  async fail(key: string): Promise<void> {
    await this.failures.add(key);
  }

  /** Forgets the failures of this key. */
  clear(key: string): Promise<void> {
    return this.failures.forget(key);
  }

  /** Ends an attempt. */
  leave(key: string): void {
    const lane = this.lanes.get(key);
    if (!lane) return;
    lane.running -= 1;
    lane.wake?.();
    this.tidy(key, lane);
  }

  private async letIn(key: string, lane: Lane): Promise<void> {
    for (;;) {
      // Read before the count: an attempt that ends meanwhile may be in both, but never in neither.
      const running = lane.running;
      const { count, msLeft } = await this.failures.used(key);
      if (count >= this.limit) throw tooManyRequests(msLeft, 'Too many failed logins. Try again later.');
      if (count + running < this.limit) break;
      if (lane.running === running) await new Promise<void>((resolve) => (lane.wake = resolve));
    }
    lane.running += 1;
  }

  private tidy(key: string, lane: Lane): void {
    if (lane.running === 0 && lane.queued === 0) this.lanes.delete(key);
  }
}
