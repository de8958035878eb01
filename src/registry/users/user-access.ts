import type { Account } from '../../platform/http/access/account';
import { type ApiError, apiError } from '../../platform/base/errors/api-error';
import { context } from '../../platform/records/transactions/context';
import type { Filter, ListChange } from '../../platform/records/schema/record.schema';
import type { CreateUserInput, UpdateUserInput, UserQuery } from './user.dto';
import { NOT_SUSPENDED, type Person, type User, type UserRecord } from './user.schema';

/** Parameters of the list for callers who are not Admins: where they see only themselves, and where they see others. */
const PAGING: readonly string[] = ['skip', 'limit', 'after', 'sort', 'exactCount'];
const DIRECTORY: readonly string[] = [...PAGING, 'id', 'q', 'username'];

/** The fields that only Admins set, as far as a write sets them. */
export type AccessFields = Partial<Pick<User, 'roles' | 'isSuspended' | 'externalId'>>;

/** A User as the caller sees them: whole only for Admins and themselves (contract §3 User). */
export function shownTo(caller: Account, user: UserRecord): UserRecord | Person {
  const { _id, username, companyName, createdAt } = user;
  return caller.isAdmin || caller._id.equals(_id) ? user : { _id, username, companyName, createdAt };
}

/** The error about a User who was deleted since the request was authorized: if it is the caller, 401 comes before 404. */
export function userGone(_id: UserRecord['_id']): ApiError {
  return apiError(context().account?.()?._id.equals(_id) ? 'accountGone' : 'userNotFound');
}

/**
 * Which Users a list has for a caller (contract §4). Somebody else's e-mail address must not find them: of others, `q`
 * searches only the names.
 * @param isOpen whether callers who are not Admins see others
 * @returns whose e-mail address `q` finds, undefined for everybody's
 */
export function usersFor(
  caller: Account,
  query: UserQuery,
  isOpen: boolean,
): { own: Account['_id'] | undefined; filter: Filter } {
  const { q, username, email, role: roles, isSuspended } = query;
  const { isAdmin } = caller;
  if (!isAdmin) authorizeFilters(query, isOpen ? DIRECTORY : PAGING);
  const suspended = isSuspended ? { isSuspended } : isSuspended === false ? NOT_SUSPENDED : {};
  const _id = isAdmin || isOpen ? undefined : caller._id;
  const own = isAdmin || q === undefined ? undefined : caller._id;
  return { own, filter: { _id, username, email, roles, ...suspended } };
}

function authorizeFilters(query: UserQuery, allowed: readonly string[]): void {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const refused = given.find(([name]) => !allowed.includes(name));
  if (refused) throw apiError('forbidden', `Only an Admin may filter Users by "${refused[0]}".`);
}

/** What only Admins set, as far as it differs from what a new User has anyway. */
export function accessIn({ roles, isSuspended, externalId }: CreateUserInput): AccessFields {
  return {
    roles: roles.length > 0 ? roles : undefined,
    isSuspended: isSuspended || undefined,
    externalId: externalId ?? undefined,
  };
}

export function authorizeFields({ roles, isSuspended, externalId }: AccessFields): void {
  if (roles) throw apiError('forbidden', 'Only an Admin may set roles.');
  if (isSuspended !== undefined) throw apiError('forbidden', 'Only an Admin may suspend a User.');
  if (externalId !== undefined) throw apiError('forbidden', 'Only an Admin may set an externalId.');
}

/**
 * Recognizes a change that no API key makes: who is an Admin, and what they log in with, must not depend on one (contract
 * §4 API keys).
 * @param changes of the body, as far as they differ
 */
export function needsLogin(user: UserRecord, { password }: UpdateUserInput, changes: Partial<User>): boolean {
  const { roles, externalId, isSuspended, username, email } = changes;
  const ofAdmin = user.roles.length > 0 ? [isSuspended, username, email] : [];
  return [roles, externalId, password, ...ofAdmin].some((value) => value !== undefined);
}

/** Recognizes a change of the names that a User logs in with. */
export function isRenamed({ username, email }: Partial<User>): boolean {
  return username !== undefined || email !== undefined;
}

/**
 * The sessions that a change ends (contract §3 User): all of a User who is suspended, or whose password an Admin sets;
 * the others of one who changes it themselves.
 */
export function endSessions(caller: Account, { _id }: UserRecord, changes: Partial<User>): ListChange | undefined {
  if (!changes.isSuspended && !changes.passwordHash) return undefined;
  const keepsOwn = !changes.isSuspended && caller._id.equals(_id);
  return { $pull: { sessions: keepsOwn ? { _id: { $ne: caller.sessionId } } : {} } };
}
