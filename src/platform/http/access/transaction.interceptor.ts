import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Types } from 'mongoose';
import { from, lastValueFrom, Observable } from 'rxjs';
import { Transactions } from '../../records/transactions/transactions';
import { requestOf } from './decorators';

/** Marks, with the reason, a handler that changes something and needs no transaction, because it sends one command. */
export const WithoutTransaction = Reflector.createDecorator<string>();

/**
 * Runs the handler of an operation that changes something inside one transaction, and again when it lost a race
 * (docs/adr/0021). It is the innermost interceptor: pipes and handler run in each attempt, everything else once.
 */
@Injectable()
export class TransactionInterceptor implements NestInterceptor {
  constructor(private readonly transactions: Transactions) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
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
