import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, Observable } from 'rxjs';
import type { AuthorizedRequest } from '../auth/request-access';
import { WorkQueue } from './work-queue';

/**
 * Runs searches a few at a time (contract §1.1): no index serves `q`, so each one reads all records. It queues every
 * request with a `q`, so a new list needs nothing of its own.
 */
@Injectable()
export class SearchQueue implements NestInterceptor {
  private readonly queue = new WorkQueue({ running: 8, runningPerKey: 4, waiting: 100, maxWaitMs: 2000 });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, access } = context.switchToHttp().getRequest<AuthorizedRequest>();
    const { q } = query as { q?: string };
    if (q === undefined || !access?.account) return next.handle();
    return from(this.queue.run(access.account._id.toHexString(), () => lastValueFrom(next.handle())));
  }
}
