import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../base/settings/settings';
import { outsideTransaction } from '../../records/transactions/context';
import { apiError } from '../../base/errors/api-error';
import type { AccessRule } from './access-rules';
import type { Account, AccountLoader, Claims, OidcClaims } from './account';
import type { ApiKeyScope } from './api-key';
import type { LoadedResource, PathResource, Resources } from './resources';

/** A request with what the guards have learned about it, so nothing is read twice. */
export interface AuthorizedRequest extends FastifyRequest {
  /** None for requests outside the contract's operations. */
  access?: RequestAccess;
}

/** Access to a route, for the guards. */
export interface RouteAccess {
  readonly rule: AccessRule;
  /** The scopes of API keys that may be used. */
  readonly scopes: readonly ApiKeyScope[];
  readonly resources: readonly PathResource[];
}

/** The account and the records of one request, and whether the account may do what it asks (contract §1.1). */
export class RequestAccess {
  /** The caller; none where an operation needs no account. */
  account: Account | undefined;
  /** The identity whose account this request creates, or has created before. */
  registrant: OidcClaims | undefined;
  /** The records that the path names, outermost first, once `authorize` has passed. */
  loaded: readonly LoadedResource[] = [];
  /** The innermost of them, which the operation is about. */
  get record(): { readonly revision: number } | undefined {
    return this.loaded.at(-1)?.record as { readonly revision: number } | undefined;
  }

  private loading: PromiseSettledResult<readonly LoadedResource[]> | undefined;
  private reauthenticate: (() => Promise<void>) | undefined;

  constructor(
    private readonly route: RouteAccess,
    private readonly params: Readonly<Record<string, string>>,
    private readonly resources: Resources,
    private readonly settings: Settings,
  ) {}

  /** Is true for an operation that needs no account, like a login. */
  get ignoresToken(): boolean {
    return this.route.rule.token?.(this.settings) === 'ignored';
  }

  /**
   * Loads the account of a valid credential and, at the same time, what the path names. If the latter fails, `authorize`
   * throws: 401 comes before 404.
   * @throws ApiError 401 when the account or its session does not exist any more, 403 when it is suspended, or an identity has none
   */
  async authenticate(claims: Claims, accounts: AccountLoader): Promise<void> {
    this.reauthenticate = () => this.authenticate(claims, accounts);
    const caller = accounts.load(claims);
    const [account, resources] = await Promise.allSettled([caller, this.load(caller)]);
    this.loading = resources;
    if (account.status === 'rejected') throw account.reason;
    if (!account.value && !this.registrant) throw accounts.refusal(claims);
    // The same object: handlers may have got it before, and decide by the roles as they are now.
    this.account = account.value && this.account ? Object.assign(this.account, account.value) : account.value;
  }

  /** Checks that everything that the path names exists, then that the caller may do this. @throws ApiError 404, 403 */
  async authorize(): Promise<void> {
    const { loading } = this;
    if (loading?.status === 'rejected') {
      // Their own User may have been deleted since the account was read: 401 comes before 404.
      if (this.route.resources[0]?.definition.takesMe) await this.reauthenticate?.();
      throw loading.reason;
    }
    this.loaded = loading?.value ?? (await this.load());
    const { rule, scopes } = this.route;
    const scope = this.account?.apiKeyScope;
    if (scope && !scopes.includes(scope)) throw apiError('apiKeyForbidden');
    if (this.isAllowedBy(rule)) return;
    throw apiError('forbidden', `Only ${rule.whoHere?.(this.settings) ?? rule.who} may do this.`);
  }

  /** Whether a rule allows the caller something on the record that the path names last. */
  isAllowedBy({ allows }: AccessRule): boolean {
    const { account, registrant, settings } = this;
    return allows({ account, registrant, ownership: this.loaded.at(-1)?.ownership ?? {}, settings });
  }

  /**
   * Loads and authorizes again outside the caller's transaction: after a lost race or a late body (contract §1.8), the
   * caller may have lost a role or the session.
   * @throws ApiError 401, 404, 403, as this request would have got by coming now
   */
  authorizeAgain(): Promise<void> {
    return outsideTransaction(async () => {
      this.loading = undefined;
      await this.reauthenticate?.();
      await this.authorize();
    });
  }

  /** The revision at which the outermost record of the path was loaded; undefined for other records. */
  revisionOf(id: string): number | undefined {
    const record = this.loaded[0]?.record as { _id?: unknown; revision?: number } | undefined;
    return String(record?._id) === id ? record?.revision : undefined;
  }

  private load(caller?: Promise<Account | undefined>): Promise<readonly LoadedResource[]> {
    return this.resources.load(this.route.resources, this.params, caller);
  }
}
