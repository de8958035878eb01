import type { Types } from 'mongoose';
import type { Settings } from '../../base/settings/settings';
import type { Account } from './account';

/** Rights on a record; each resource says so for its own. */
export interface Ownership {
  readonly ownerId?: Types.ObjectId;
  /** The managers of the Organization that it is or belongs to. */
  readonly managerIds?: readonly Types.ObjectId[];
  readonly isPublic?: boolean;
}

/** The facts that a rule decides from. */
interface AccessRequest {
  readonly account: Account | undefined;
  /** Of the last record that the path names. */
  readonly ownership: Ownership;
  readonly settings: Settings;
}

/** A rule about who may call an operation (contract §4). */
export interface AccessRule {
  /** Callers, for the documentation and for 403: "Only … may do this." */
  readonly who: string;
  /** Addition for the documentation. */
  readonly note?: string;
  /** Says if a token is required, the default; `ignored`: it is not looked at; `optional`: one that is sent must be valid. */
  readonly token?: (settings: Settings) => 'required' | 'optional' | 'ignored';
  readonly allows: (request: AccessRequest) => boolean;
}

const isAdmin = ({ account }: AccessRequest): boolean => account?.isAdmin === true;
const isOwner = ({ account, ownership }: AccessRequest): boolean => account?._id.equals(ownership.ownerId) === true;
const isManager = ({ account, ownership }: AccessRequest): boolean =>
  ownership.managerIds?.some((id) => account?._id.equals(id)) === true;
const ownerOrAdmin = (request: AccessRequest): boolean => isOwner(request) || isAdmin(request);
const managerOrAdmin = (request: AccessRequest): boolean => isManager(request) || isAdmin(request);
const mayRead = (request: AccessRequest): boolean =>
  (request.account !== undefined && request.ownership.isPublic === true) || isOwner(request) || managerOrAdmin(request);

/** The access rules by name. Whatever no rule allows is denied. */
export const accessRules = {
  anyone: { who: 'anyone, without login', token: () => 'ignored', allows: () => true },
  account: { who: 'every account', allows: ({ account }) => account !== undefined },
  admin: { who: 'an Admin', allows: isAdmin },
  self: { who: 'that User or an Admin', allows: ownerOrAdmin },
  creator: { who: 'the User who created it or an Admin', allows: ownerOrAdmin },
  manager: { who: 'a Manager of this Organization or an Admin', allows: managerOrAdmin },
  readApi: {
    who: 'a Manager of its Organization or an Admin',
    note: 'If it is public, every account.',
    allows: mayRead,
  },
  readFile: { who: 'the User who uploaded it or an Admin', note: 'If it is a logo, every account.', allows: mayRead },
  createUser: {
    who: 'an Admin',
    note: 'With `REGISTRATION=open`, anyone.',
    token: ({ registration }) => (registration === 'open' ? 'optional' : 'required'),
    allows: (request) => request.settings.registration === 'open' || isAdmin(request),
  },
  createOrganization: {
    who: 'an Admin',
    note: 'With `ORGANIZATION_CREATION=accounts`, the default, every account.',
    allows: (request) => request.settings.organizationCreation === 'accounts' || isAdmin(request),
  },
} as const satisfies Record<string, AccessRule>;

/** Argument of `@Allow`. */
export type AccessRuleName = keyof typeof accessRules;
