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

/** Runs lists that can read all records a few at a time (contract §1.1). app.module.ts puts it around every list. */
@Injectable()
export class SearchQueueInterceptor implements NestInterceptor {
  constructor(private readonly searches: SearchQueue) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const query = requestOf(context).query as Record<string, unknown>;
    const readsMany = query.exactCount || WITHOUT_INDEX.some((name) => query[name] !== undefined);
    return readsMany ? runIn(this.searches, context, next) : next.handle();
  }
}

/** Runs uploads a few at a time (contract §1.1): each takes more than a MiB of memory until it is stored. */
@Injectable()
export class UploadQueueInterceptor implements NestInterceptor {
  private readonly uploads = new WorkQueue({ running: 32, runningPerKey: 4, waiting: 32, maxWaitMs: 2000 });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return runIn(this.uploads, context, next);
  }
}

function runIn(queue: WorkQueue, context: ExecutionContext, next: CallHandler): Observable<unknown> {
  const accountId = String(requestOf(context).access?.account?._id);
  return from(queue.run(accountId, () => lastValueFrom(next.handle())));
}
