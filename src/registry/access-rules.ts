import type { Types } from 'mongoose';
import { type AccessRequest, type AccessRule, isAdmin, platformRules } from '../platform/http/access/access-rules';

const isOwner = ({ account, ownership }: AccessRequest): boolean => account?._id.equals(ownership.ownerId) === true;
const isManager = ({ account, ownership }: AccessRequest): boolean =>
  ownership.managerIds?.some((id) => account?._id.equals(id)) === true;
const ownerOrAdmin = (request: AccessRequest): boolean => isOwner(request) || isAdmin(request);
const managerOrAdmin = (request: AccessRequest): boolean => isManager(request) || isAdmin(request);
const isConsumerManager = ({ account, ownership }: AccessRequest): boolean =>
  ownership.consumerManagerIds?.some((id) => account?._id.equals(id)) === true;
const mayRead = (request: AccessRequest): boolean =>
  (request.account !== undefined && request.ownership.isPublic === true) || isOwner(request) || managerOrAdmin(request);

/** The access rules of the product by name. */
const registryRules = {
  self: { who: 'that User or an Admin', allows: ownerOrAdmin },
  readUser: {
    who: 'that User or an Admin',
    note: 'With `USER_DIRECTORY=accounts`, the default, every account.',
    whoHere: ({ userDirectory }) => (userDirectory === 'accounts' ? 'every account' : 'that User or an Admin'),
    allows: (request) =>
      (request.account !== undefined && request.settings.userDirectory === 'accounts') || ownerOrAdmin(request),
  },
  creator: { who: 'the User who created it or an Admin', allows: ownerOrAdmin },
  manager: { who: 'a Manager of this Organization or an Admin', allows: managerOrAdmin },
  invite: {
    who: 'an Admin',
    note: 'With `INVITATIONS=managers`, a Manager of this Organization too.',
    whoHere: ({ invitations }) =>
      invitations === 'managers' ? 'a Manager of this Organization or an Admin' : 'an Admin',
    allows: (request) => isAdmin(request) || (isManager(request) && request.settings.invitations === 'managers'),
  },
  link: {
    who: 'anyone with the link',
    credential: { scheme: 'link', name: 'the token of a link (`roster_link_…`)' },
    allows: () => true,
  },
  readApi: {
    who: 'a Manager of its Organization or an Admin',
    note: 'If it is public, every account.',
    allows: mayRead,
  },
  addConsumer: {
    who: 'a Manager of its Organization or an Admin',
    note: 'If it is public and accepts Consumers, every account.',
    allows: (request) => managerOrAdmin(request) || (mayRead(request) && request.ownership.acceptsConsumers === true),
  },
  changeConsumer: {
    who: 'a Manager of the Consumer who may read the API or an Admin',
    allows: (request) => isAdmin(request) || (isConsumerManager(request) && mayRead(request)),
  },
  removeConsumer: {
    who: 'a Manager of the Consumer, a Manager of the Organization of the API or an Admin',
    allows: (request) => isConsumerManager(request) || managerOrAdmin(request),
  },
  readFile: { who: 'the User who uploaded it or an Admin', note: 'If it is a logo, every account.', allows: mayRead },
  createUser: {
    who: 'an Admin',
    note: 'With `REGISTRATION=open`, anyone. With `OIDC_CREATE_USERS=on`, anyone with a token of the identity provider.',
    whoHere: ({ registration, oidcCreateUsers }) => {
      if (registration === 'open') return 'anyone';
      return oidcCreateUsers ? 'an Admin, or anyone with a token of the identity provider' : 'an Admin';
    },
    token: ({ registration }) => (registration === 'open' ? 'optional' : 'required'),
    registers: ({ oidcCreateUsers }) => oidcCreateUsers,
    allows: (request) =>
      request.registrant !== undefined || request.settings.registration === 'open' || isAdmin(request),
  },
  createOrganization: {
    who: 'an Admin',
    note: 'With `ORGANIZATION_CREATION=accounts`, the default, every account.',
    whoHere: ({ organizationCreation }) => (organizationCreation === 'accounts' ? 'every account' : 'an Admin'),
    allows: (request) => request.settings.organizationCreation === 'accounts' || isAdmin(request),
  },
} as const satisfies Record<string, AccessRule>;

declare module '../platform/http/access/access-rules' {
  interface Ownership {
    readonly ownerId?: Types.ObjectId;
    /** The Managers of the Organization that it is or belongs to. */
    readonly managerIds?: readonly Types.ObjectId[];
    readonly isPublic?: boolean;
    readonly acceptsConsumers?: boolean;
    /** The Managers of the Organization that uses the API. */
    readonly consumerManagerIds?: readonly Types.ObjectId[];
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it extends the table's type
  interface AccessRules extends Readonly<typeof registryRules> {}
}

/** All access rules by name. */
export const rules = { ...platformRules, ...registryRules };
