import {
  CallHandler,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  RequestMethod,
  Type,
  UseInterceptors,
} from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { Types } from 'mongoose';
import { from, lastValueFrom, Observable } from 'rxjs';
import { Transactions } from '../../records/transactions/transactions';
import type { RouteSettings } from '../responses/response';
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
    const { access } = requestOf(context);
    // The outermost of the path: writes below an Organization wait for each other.
    const record = access!.loaded[0]?.record as { _id: Types.ObjectId } | undefined;
    const writer = {
      record: record?._id.toString(),
      account: access!.account?._id.toString(),
      authorizeAgain: () => access!.authorizeAgain(),
    };
    // `handle()` is called in each attempt: Nest binds the asynchronous context when it is called.
    return from(this.transactions.run(() => lastValueFrom(next.handle()), writer));
  }
}

/**
 * Puts the `TransactionInterceptor` around every handler of these modules that is not a GET, and another one around the
 * lists. Neither is global, because an interceptor costs every GET that it lets pass a tenth of its CPU time.
 */
export function withInterceptors<M extends readonly Type[]>(ofLists: Type<NestInterceptor>, modules: M): M {
  const controllers = modules.flatMap((one) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, one) ?? []) as Type[]);
  for (const { prototype } of controllers as { prototype: Record<string, unknown> }[]) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const handler: unknown = descriptor.value;
      if (typeof handler !== 'function') continue;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      const isChange = method !== undefined && method !== RequestMethod.GET;
      const isExempt = Reflect.hasMetadata(WithoutTransaction.KEY, handler);
      if (isChange && !isExempt) UseInterceptors(TransactionInterceptor)(prototype, name, descriptor);
      const { response } = (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {}) as RouteSettings;
      if (response?.kind === 'list') UseInterceptors(ofLists)(prototype, name, descriptor);
    }
  }
  return modules;
}
