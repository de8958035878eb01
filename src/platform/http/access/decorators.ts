import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { Precondition } from '../responses/etag';
import { type AccessRuleName, accessRules } from './access-rules';
import type { AuthorizedRequest } from './request-access';

/** The metadata that `@Allow()` sets: the name of a rule, and whether no API key may be used. */
export const ALLOW = 'roster:allow';
export const NO_API_KEY = 'roster:no-api-key';

/**
 * Says who may call an operation, and documents it. A route without `@Allow()` or `@Public()` stops the start.
 * @param options `apiKey: false` where no API key may be used
 */
export function Allow(rule: AccessRuleName, { apiKey = true } = {}): MethodDecorator {
  const metadata = [SetMetadata(ALLOW, rule), SetMetadata(NO_API_KEY, !apiKey)];
  // src/platform/http/openapi completes the document by it, and removes it.
  const documented = ApiExtension('x-access', { rule, apiKey } satisfies DocumentedAccess);
  return applyDecorators(...metadata, documented, ...(rule === 'anyone' ? [] : [ApiBearerAuth()]));
}

/** What the documentation of an operation says about access is made from. */
export interface DocumentedAccess {
  readonly rule: AccessRuleName;
  readonly apiKey: boolean;
}

/**
 * Marks a controller or handler that is not an operation of the contract (health): no account is needed, and
 * neither limits nor maintenance apply. An operation that needs no account says `@Allow('anyone')` instead.
 */
export const Public = Reflector.createDecorator<void, boolean>({ transform: () => true });

/** Recognizes a call to which limits and maintenance do not apply. */
export function isPublic(context: ExecutionContext): boolean {
  return [context.getHandler(), context.getClass()].some((marked) => Reflect.getMetadata(Public.KEY, marked) === true);
}

/** Marks, with the reason, a handler that changes something and needs no transaction, because it sends one command. */
export const WithoutTransaction = Reflector.createDecorator<string>();

/** The request of a guard, an interceptor or a decorator. */
export const requestOf = (context: ExecutionContext): AuthorizedRequest => context.switchToHttp().getRequest();

/** The account that sends the request: `@Caller() caller: Account`. */
export const Caller = createParamDecorator((_, context) => requestOf(context).access?.account);

/** The identity whose account the request creates, where the rule of `@Allow` `registers`. */
export const Registrant = createParamDecorator((_, context) => requestOf(context).access?.registrant);

/** The record that the path names last: `@Loaded() user: UserRecord`. */
export const Loaded = createParamDecorator((_, context) => requestOf(context).access?.record);

/**
 * Whether another rule than the operation's would allow it too, decided from what the guards have loaded:
 * `@Rights('manager') isManager: boolean`.
 */
export const Rights = createParamDecorator((rule: AccessRuleName, context) =>
  requestOf(context).access?.isAllowedBy(accessRules[rule]),
);

/** What the request's headers If-Match and If-None-Match say: `@IfMatch() ifMatch: Precondition`. */
export const IfMatch = createParamDecorator((_, context) => new Precondition(requestOf(context).headers));
