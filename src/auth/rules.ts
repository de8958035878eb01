import type { Types } from 'mongoose';
import type { Settings } from '../config/settings';
import type { Account } from './account';
import type { Found } from './target';

/** What a rule judges by. */
export interface Circumstances {
  readonly account: Account | undefined;
  /** The innermost record that the path names. */
  readonly target: Found | undefined;
  readonly settings: Settings;
}

/** Who may use an operation (contract §4). */
export interface Rule {
  /** For the documentation. */
  readonly who: string;
  /**
   * `ignored`: nobody needs an account, and a token that is sent is not looked at; `optional`: a token that is sent is
   * judged.
   */
  readonly credentials: (settings: Settings) => 'required' | 'optional' | 'ignored';
  readonly allows: (circumstances: Circumstances) => boolean;
}

const required = (): 'required' => 'required';
const isAdmin = ({ account }: Circumstances): boolean => account?.isAdmin === true;
const owns = ({ account, target }: Circumstances): boolean => same(account?._id, target?.ownerId);
const manages = ({ account, target }: Circumstances): boolean =>
  target?.managerIds?.some((id) => same(account?._id, id)) === true;

/** The access rules by name. Access is denied unless a rule allows it. */
export const rules = {
  anyone: { who: 'Anyone, without login.', credentials: () => 'ignored', allows: () => true },
  account: { who: 'Every account.', credentials: required, allows: ({ account }) => account !== undefined },
  self: { who: 'That user, or an Admin.', credentials: required, allows: (c) => owns(c) || isAdmin(c) },
  creator: { who: 'Who created it, or an Admin.', credentials: required, allows: (c) => owns(c) || isAdmin(c) },
  manager: {
    who: 'A Manager of the Organization, or an Admin.',
    credentials: required,
    allows: (c) => manages(c) || isAdmin(c),
  },
  reader: {
    who: 'Every account if it is public, else a Manager of the Organization, or an Admin.',
    credentials: required,
    allows: (c) => (c.account !== undefined && c.target?.isPublic === true) || manages(c) || isAdmin(c),
  },
  registrar: {
    who: 'An Admin; with `REGISTRATION=open` anyone, without login.',
    credentials: ({ registration }) => (registration === 'open' ? 'optional' : 'required'),
    allows: (c) => c.settings.registration === 'open' || isAdmin(c),
  },
  founder: {
    who: 'Every account; with `ORGANIZATION_CREATION=admin` an Admin.',
    credentials: required,
    allows: (c) => c.settings.organizationCreation === 'accounts' || isAdmin(c),
  },
} as const satisfies Record<string, Rule>;

/** What `@Access` takes. */
export type RuleName = keyof typeof rules;

function same(one: Types.ObjectId | undefined, other: Types.ObjectId | undefined): boolean {
  return one?.equals(other) === true;
}
