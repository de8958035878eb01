import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ForUpdate } from './for-update';
import type { AuthorizedRequest } from './request-access';

function requestOf(context: ExecutionContext): AuthorizedRequest {
  return context.switchToHttp().getRequest<AuthorizedRequest>();
}

/** The account that sends the request: `@Caller() caller: Account`. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).access?.account,
);

/** The record that the path names: `@Loaded() user: UserRecord`. */
export const Loaded = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).access?.loaded.at(-1)?.record,
);

/** The record that the path names before the last one: `@LoadedParent() organization: OrganizationRecord`. */
export const LoadedParent = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).access?.loaded.at(-2)?.record,
);

/** The record that the path names, to be updated or deleted: `@LoadedForUpdate() user: ForUpdate<UserRecord>`. */
export const LoadedForUpdate = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { access, headers } = requestOf(context);
  if (!access?.account) throw new Error('This operation has no account, so it cannot update a record.');
  return new ForUpdate(access.account, access, headers['if-match']);
});
