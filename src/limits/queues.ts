import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, Observable } from 'rxjs';
import type { AuthorizedRequest } from '../auth/request-access';
import { WorkQueue } from './work-queue';

/** The queue of the searches in all lists. */
@Injectable()
export class SearchQueue extends WorkQueue {
  constructor() {
    super({ running: 8, runningPerKey: 4, waiting: 100, maxWaitMs: 2000 });
  }
}

/**
 * Runs searches and exact counts a few at a time (contract §1.1): each can read all records. Every list that takes `q`
 * uses it. It is not global, because an interceptor costs every request that it lets pass a tenth of its CPU time.
 */
@Injectable()
export class SearchQueueInterceptor implements NestInterceptor {
  constructor(private readonly searches: SearchQueue) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, access } = context.switchToHttp().getRequest<AuthorizedRequest>();
    const { q, exactCount } = query as { q?: string; exactCount?: boolean };
    if ((q === undefined && !exactCount) || !access?.account) return next.handle();
    return from(this.searches.run(access.account._id.toHexString(), () => lastValueFrom(next.handle())));
  }
}
