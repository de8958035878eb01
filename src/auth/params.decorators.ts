import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { Precondition } from '../http/etag';
import type { AuthorizedRequest } from './request-access';

const requestOf = (context: ExecutionContext): AuthorizedRequest => context.switchToHttp().getRequest();

/** The account that sends the request: `@Caller() caller: Account`. */
export const Caller = createParamDecorator((_, context) => requestOf(context).access?.account);

/** The record that the path names last: `@Loaded() user: UserRecord`. */
export const Loaded = createParamDecorator((_, context) => requestOf(context).access?.record);

/** The request's If-Match header: `@IfMatch() ifMatch: Precondition`. */
export const IfMatch = createParamDecorator((_, context) => new Precondition(requestOf(context).headers['if-match']));
