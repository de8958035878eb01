import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, Observable } from 'rxjs';
import { requestOf } from '../../http/access/decorators';
import { WorkQueue } from '../../base/work-queue';

/** The queue of the searches in all lists. */
@Injectable()
export class SearchQueue extends WorkQueue {
  constructor() {
    super({ running: 8, runningPerKey: 4, waiting: 100, maxWaitMs: 2000 });
  }
}

/** The parameters of lists that no index serves, so a list can read all records. */
const WITHOUT_INDEX = ['q', 'updatedSince', 'tag', 'lifecycleStatus', 'isSuspended'];

/** Runs lists that can read all records a few at a time (contract §1.1). Of requests that are no list, the query has none of these parameters. */
@Injectable()
export class SearchQueueInterceptor implements NestInterceptor {
  constructor(private readonly searches: SearchQueue) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const query = requestOf(context).query as Record<string, unknown>;
    const readsMany = query.exactCount || WITHOUT_INDEX.some((name) => query[name] !== undefined);
    if (!readsMany) return next.handle();
    const accountId = String(requestOf(context).access?.account?._id);
    return from(this.searches.run(accountId, () => lastValueFrom(next.handle())));
  }
}
