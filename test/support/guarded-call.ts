import type { ExecutionContext } from '@nestjs/common';
import { Types } from 'mongoose';
import { Public } from '../../src/auth/decorators';
import { type AccessRuleName, accessRules } from '../../src/auth/access-rules';
import { AccessTokens } from '../../src/auth/access-tokens';
import { AccountGuard } from '../../src/auth/account.guard';
import { IdentityProvider } from '../../src/auth/identity-provider';
import { JwtStrategy } from '../../src/auth/jwt.strategy';
import { OidcTokens } from '../../src/auth/oidc-tokens';
import type { AuthorizedRequest } from '../../src/auth/request-access';
import { ResourceGuard } from '../../src/auth/resource.guard';
import type { Resources } from '../../src/auth/resources';
import type { RouteAccess, RouteAccessTable } from '../../src/auth/route-access';
import { SigningKeys } from '../../src/auth/signing-keys';
import { settingsWith } from './settings';

export const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
export const settings = settingsWith({ ACCESS_TOKEN_TTL: '60' });
export const open = settingsWith({ REGISTRATION: 'open' });
export const keys = new SigningKeys(secrets);
export const tokens = new AccessTokens(keys, settings);
export const account = {
  _id: new Types.ObjectId(),
  username: 'ada',
  isAdmin: false,
  sessionId: new Types.ObjectId(),
};
export const claims = { sub: String(account._id), sid: String(account.sessionId) };

export const accounts = { load: jest.fn() };
export const resources = { load: jest.fn() };
export const bearer = (): string => `Bearer ${tokens.issue(account._id, account.sessionId).accessToken}`;

/** A request to an operation with this rule, or to a route outside the contract. */
export class Call {
  readonly request = { headers: {}, params: { id: 'an id' } } as unknown as AuthorizedRequest;

  constructor(
    private readonly rule: AccessRuleName | undefined,
    authorization?: string,
    current = settings,
    private readonly guard = newGuard(current),
  ) {
    if (authorization !== undefined) this.request.headers.authorization = authorization;
  }

  private get context(): ExecutionContext {
    const http = { getRequest: () => this.request, getResponse: () => ({}) };
    class Marked {}
    if (!this.rule) Public()(Marked);
    return { getHandler: () => this, getClass: () => Marked, switchToHttp: () => http } as unknown as ExecutionContext;
  }

  authenticate(): Promise<boolean> {
    return this.guard.canActivate(this.context);
  }

  get route(): RouteAccess | undefined {
    const rule = this.rule && accessRules[this.rule];
    return rule && { rule, resources: [], scopes: [] };
  }

  authorize(): Promise<boolean> {
    return new ResourceGuard().canActivate(this.context);
  }
}

/** The handler of a call is the call itself, so it knows its route. */
export function newGuard(current = settings): AccountGuard {
  const routes = { of: (call: Call) => call.route } as unknown as RouteAccessTable;
  const oidcTokens = new OidcTokens(new IdentityProvider(current), current);
  return new AccountGuard(routes, accounts, resources as unknown as Resources, current, oidcTokens);
}

// Make themselves known to Passport.
new JwtStrategy(keys);

/** Authenticates a request to an operation with this rule. */
export const authenticate = (...call: ConstructorParameters<typeof Call>): Promise<boolean> =>
  new Call(...call).authenticate();
