import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { isPublic, requestOf } from './decorators';
import type { AccessTokenClaims } from './access-tokens';
import { AccountLoader, type Claims } from './account';
import { hashOfApiKey, isApiKey, looksLikeApiKey } from './api-key';
import { BoundedMap } from './bounded-map';
import { OidcTokens } from './oidc-tokens';
import { RequestAccess } from './request-access';
import { Resources } from './resources';
import { RouteAccessTable } from './route-access';

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer(?: |$)/i;

/** One credential and nothing after it. */
const CREDENTIAL = /^\S+ +(\S+)$/;

/** The most access tokens that are remembered: about 6 MB. Beyond that, the oldest is verified again. */
const MAX_REMEMBERED = 10_000;

/** Checks that the caller has an account that is not suspended: 401, 403, 503 (contract §1.1). */
@Injectable()
export class AccountGuard extends AuthGuard('jwt') {
  /**
   * The claims of access tokens: verifying takes a fifth of the CPU time of a GET. Account, roles and session are read for
   * every request. The keys of a process never change; those of the identity provider do.
   */
  private readonly verified = new BoundedMap<AccessTokenClaims>(MAX_REMEMBERED);

  constructor(
    private readonly routes: RouteAccessTable,
    private readonly accounts: AccountLoader,
    private readonly resources: Resources,
    private readonly settings: Settings,
    private readonly oidcTokens: OidcTokens,
  ) {
    super({ property: 'claims' });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.routes.of(context.getHandler() as never);
    if (!route) {
      if (isPublic(context)) return true;
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no access rule.`);
    }
    const request = requestOf(context);
    const params = request.params as Record<string, string>;
    request.access = new RequestAccess(route, params, this.resources, this.settings);
    const token = route.rule.token?.(this.settings);
    const { authorization } = request.headers;
    if (token === 'ignored' || (token === 'optional' && authorization === undefined)) return true;
    const claims = await this.verify(context, authorization);
    await request.access.authenticate(claims, this.accounts);
    return true;
  }

  /** @throws ApiError 401, 503 */
  private async verify(context: ExecutionContext, authorization = ''): Promise<Claims> {
    if (!BEARER.test(authorization)) throw apiError('noCredentials');
    const [, credential] = CREDENTIAL.exec(authorization) ?? [];
    const claims = credential === undefined ? undefined : await this.claimsOf(credential, context);
    if (!claims) throw apiError('tokenUnusable');
    return claims;
  }

  /** Each kind of credential is verified in one way only, so the 401 of another never hides an error. */
  private async claimsOf(credential: string, context: ExecutionContext): Promise<Claims | undefined> {
    const known = this.verified.get(credential);
    // In whole seconds, as jsonwebtoken compares.
    if (known && Math.floor(Date.now() / 1000) < known.exp) return known;
    if (looksLikeApiKey(credential)) return isApiKey(credential) ? { keyHash: hashOfApiKey(credential) } : undefined;
    if (this.oidcTokens.isIssuerOf(credential)) return this.oidcTokens.verify(credential);
    await super.canActivate(context);
    const { claims } = context.switchToHttp().getRequest<{ claims: AccessTokenClaims }>();
    this.verified.set(credential, claims);
    return claims;
  }

  /** Called with the result of the strategy: an error, the claims, or `false`. */
  override handleRequest<C>(error: unknown, claims: C | false): C {
    if (error) throw error as Error;
    if (!claims) throw apiError('tokenUnusable');
    return claims;
  }
}
