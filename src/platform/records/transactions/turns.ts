import { WorkQueue, WorkQueueBounds } from '../../base/work-queue';
import { timeLimits } from '../driver/connection-options';
import { LostRace } from './lost-race';

/** Bounds of what waits for one record (contract §8.4). */
const BOUNDS: WorkQueueBounds = { running: 1, waiting: 100, refusal: () => new LostRace() };

/** The turns of writes: of each record one at a time. Round-robin by account. */
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
   * @throws LostRace when too many others wait, or after ten seconds
   */
  take(record: string, account: string): Promise<() => void> {
    const queue = this.queues.get(record) ?? new WorkQueue({ ...BOUNDS, maxWaitMs: timeLimits.write });
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
