import { apiError } from '../../base/errors/api-error';
import { WorkQueue } from '../../base/work-queue';
import type { Database } from '../database';
import { readTimeOf } from '../driver/connection-options';
import { isResponseLost, isTimeLimitExceeded } from '../driver/database-errors';
import { repeatRead } from '../driver/find';

/**
 * The queue of the reads of all records (contract §8.3). A place is free when the database has ended its read, even if the
 * request has been refused meanwhile, or its client has left.
 */
export class PlainReads {
  private queue: WorkQueue | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Reads when it is the account's turn, and once more where `repeatRead` would.
   * @throws ApiError overloaded (503) when the queue is full, or the wait or the read too long
   */
  async run<T>(account: string, read: () => Promise<T>): Promise<T> {
    const { plainReads } = await this.database.quirks();
    const { running = 8, runningPerKey = 4 } = plainReads ?? {};
    this.queue ??= new WorkQueue({ running, runningPerKey, waiting: 100, waitingPerKey: 25, maxWaitMs: 2000 });
    return this.queue.run(account, (keepPlace) =>
      repeatRead(() =>
        read().catch((error: unknown) => {
          // A database that has time limits has ended the read by then.
          if (isResponseLost(error)) keepPlace(plainReads?.endedAfterMs ?? readTimeOf(this.database.connection));
          throw isTimeLimitExceeded(error) ? apiError('overloaded') : error;
        }),
      ),
    );
  }
}
