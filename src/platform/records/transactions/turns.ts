import { apiError } from '../../base/errors/api-error';
import { WorkQueue, WorkQueueBounds } from '../../base/work-queue';
import type { Deadline } from './deadline';
import { LostRace, Waited } from './lost-race';

/** Bounds of what waits for one record (contract §8.4). */
const BOUNDS: WorkQueueBounds = { running: 1, waiting: 100, refusal: () => apiError('concurrentChange') };

/** How long a write that has lost no race may hold up others (ms). After that, they race with it. */
const FIRST_TURN_MS = 500;

/** The turns of writes: of each record one at a time, round-robin by account. */
export class Turns {
  /** By record. */
  private readonly queues = new Map<string, WorkQueue>();

  /** Tells whether a write has the turn of this record, so others wait for theirs. */
  isTaken(record: string): boolean {
    return this.queues.has(record);
  }

  /**
   * Waits for a turn.
   * @returns ends the turn; it may be called again
   * @throws ApiError concurrentChange when too many others wait, or after this time (ms)
   */
  take(record: string, account: string, maxWaitMs: number): Promise<() => void> {
    const queue = this.queues.get(record) ?? new WorkQueue({ ...BOUNDS, maxWaitMs });
    this.queues.set(record, queue);
    const begun = Promise.withResolvers<() => void>();
    const turn = Promise.withResolvers<void>();
    const work = (): Promise<void> => {
      begun.resolve(turn.resolve);
      return turn.promise;
    };
    const over = (): void => void (queue.isIdle && this.queues.delete(record));
    void queue.run(account, work).catch(begun.reject).finally(over);
    return begun.promise;
  }
}

/** The turn that a write has. It has one at a time, so two writes never wait for each other. */
export class Turn {
  private record: string | undefined;
  private giveBack: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly turns: Turns,
    private readonly account: string,
    private readonly deadline: Deadline,
  ) {}

  /** Waits for the turn of a record. @throws as `Turns.take`, or after the deadline */
  async take(record: string): Promise<void> {
    clearTimeout(this.timer);
    if (this.record === record) return;
    this.end();
    const begins = this.turns.take(record, this.account, this.deadline.ms);
    try {
      this.giveBack = await this.deadline.before(begins);
      this.record = record;
    } catch (error) {
      begins.then((giveBack) => giveBack()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Takes the turn of a record that others write too, before the first attempt writes it.
   * @param hasBegun whether its transaction has: what it has read would be old after a wait
   * @throws LostRace when others have the turn, so the handler runs again
   */
  async takeFirst(record: string, hasBegun: boolean): Promise<void> {
    if (this.record === record) return;
    const isTaken = this.turns.isTaken(record);
    if (this.record === undefined && !hasBegun) {
      await this.take(record);
      this.timer = setTimeout(() => this.end(), FIRST_TURN_MS).unref();
      if (isTaken) throw new Waited();
    } else if (isTaken) throw new LostRace(undefined, record);
  }

  end(): void {
    clearTimeout(this.timer);
    this.giveBack?.();
    this.record = this.giveBack = undefined;
  }
}
