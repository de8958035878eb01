import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ForUpdate } from './for-update';
import type { AuthorizedRequest } from './request-access';

const requestOf = (context: ExecutionContext): AuthorizedRequest => context.switchToHttp().getRequest();

/** The account that sends the request: `@Caller() caller: Account`. */
export const Caller = createParamDecorator((_, context) => requestOf(context).access?.account);

/** The record that the path names last: `@Loaded() user: UserRecord`. */
export const Loaded = createParamDecorator((_, context) => requestOf(context).access?.loaded.at(-1)?.record);

/** The record that the path names last, to be updated or deleted: `@LoadedForUpdate() user: ForUpdate<UserRecord>`. */
export const LoadedForUpdate = createParamDecorator((_, context) => {
  const { access, headers } = requestOf(context);
  if (!access?.account) throw new Error('This operation has no account, so it cannot update a record.');
  return new ForUpdate(access, headers['if-match']);
});
