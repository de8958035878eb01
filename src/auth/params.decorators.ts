import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { RosterRequest } from '../http/request';
import { Change } from './change';

function requestOf(context: ExecutionContext): RosterRequest {
  return context.switchToHttp().getRequest<RosterRequest>();
}

/** The account behind the request: `@Caller() caller: Account`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).account);

/** The record that the path names, as the guards found it: `@Target() user: User`. */
export const Target = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).judgement?.found.at(-1)?.record,
);

/** The record that the path names before the last one: `@Parent() organization: Organization`. */
export const Parent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).judgement?.found.at(-2)?.record,
);

/** The record that the path names, to be changed: `@Changing() user: Change<User>`. */
export const Changing = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { account, judgement, headers } = requestOf(context);
  if (!account || !judgement) throw new Error('This operation has no account or names no record.');
  return new Change(account, judgement, headers['if-match']);
});
