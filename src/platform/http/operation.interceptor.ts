import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Types } from 'mongoose';
import { from, lastValueFrom, map, mergeMap, Observable } from 'rxjs';
import { Settings } from '../base/settings/settings';
import { Transactions } from '../records/transactions/transactions';
import { requestOf, WithoutTransaction } from './access/decorators';
import { type Download, respond, respondBytes, type RouteSettings } from './responses/response';

/**
 * Runs the handler of an operation that changes something inside one transaction, and again when it lost a race
 * (docs/adr/0021): pipes and handler run in each attempt; the body is parsed once. Then makes the response of the
 * result, as its `@Returns` declares (contract §2). One interceptor, because each costs every request.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object | undefined> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { response } = reply.routeOptions.config as RouteSettings;
    const handled = this.handle(context, next);
    if (!response) return handled;
    if (response.kind === 'bytes') return handled.pipe(mergeMap((result) => respondBytes(result as Download, reply)));
    return handled.pipe(map((result) => respond(response, result, reply, this.settings.basePath)));
  }

  private handle(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const { access, method } = requestOf(context);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead || !access || Reflect.hasMetadata(WithoutTransaction.KEY, context.getHandler())) return next.handle();
    // The outermost of the path: writes below an Organization wait for each other.
    const record = access.loaded[0]?.record as { _id: Types.ObjectId } | undefined;
    const writer = {
      record: record?._id.toString(),
      account: access.account?._id.toString(),
      revisionOf: (id: string) => access.revisionOf(id),
      authorizeAgain: () => access.authorizeAgain(),
    };
    // `handle()` is called in each attempt: Nest binds the asynchronous context when it is called.
    return from(this.transactions.run(() => lastValueFrom(next.handle()), writer));
  }
}
