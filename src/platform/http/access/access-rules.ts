import type { Settings } from '../../base/settings/settings';
import type { Account, OidcClaims } from './account';

/** The facts about a record that rules decide from. The product declares them (src/registry/access-rules.ts). */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias could not be extended
export interface Ownership {}

/** The facts that a rule decides from. */
export interface AccessRequest {
  readonly account: Account | undefined;
  /** The identity whose account the request creates, where the rule `registers`. */
  readonly registrant: OidcClaims | undefined;
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
  /** Callers with these settings, where they decide: for the document that the service serves. */
  readonly whoHere?: (settings: Settings) => string;
  /** Whether a token is required, the default; `ignored`: it is not read; `optional`: one that is sent must be valid. */
  readonly token?: (settings: Settings) => 'required' | 'optional' | 'ignored';
  /** The bearer token of the operation, in the place of an account's: the path's last piece names its record by it. */
  readonly credential?: { readonly scheme: string; readonly name: string };
  /** Whether a token of the identity provider and an empty body create the account of that identity (contract §11). */
  readonly registers?: (settings: Settings) => boolean;
  readonly allows: (request: AccessRequest) => boolean;
}

export const isAdmin = ({ account }: AccessRequest): boolean => account?.isAdmin === true;

/** The access rules of the platform by name. */
export const platformRules = {
  anyone: { who: 'anyone, without login', token: () => 'ignored', allows: () => true },
  account: { who: 'every account', allows: ({ account }) => account !== undefined },
  admin: { who: 'an Admin', allows: isAdmin },
} as const satisfies Record<string, AccessRule>;

/** All access rules, with those of src/registry/access-rules.ts. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias could not be extended
export interface AccessRules extends Readonly<typeof platformRules> {}

/** The access rules by name, once `defineAccessRules` was called. Whatever no rule allows is denied. */
export const accessRules = { ...platformRules } as AccessRules;

/** Defines the access rules of the platform and of the product. The root module calls it. */
export function defineAccessRules(rules: AccessRules): void {
  Object.assign(accessRules, rules);
}

/** Argument of `@Allow`. */
export type AccessRuleName = keyof AccessRules;
