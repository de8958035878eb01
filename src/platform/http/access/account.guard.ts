import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Settings } from '../../base/settings/settings';
import { apiError } from '../../base/errors/api-error';
import { RawBody } from '../body/raw-body';
import { isPublic, requestOf } from './decorators';
import { AccountLoader, type Claims } from './account';
import { hashOfToken, isApiKey } from './api-key';
import { BoundedMap } from '../../base/bounded-map';
import { OidcTokens } from './oidc-tokens';
import { RequestAccess } from './request-access';
import { CURRENT, Resources } from './resources';
import { RouteAccessTable } from './route-access';

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer(?: |$)/i;

/** One credential and nothing after it. */
const CREDENTIAL = /^\S+ +(\S+)$/;

/** The most credentials that are remembered: about 6 MB. Beyond that, the oldest is verified again. */
const MAX_REMEMBERED = 10_000;

/** Checks that the caller has an account that is not suspended: 401, 403, 503 (contract §1.1). */
@Injectable()
export class AccountGuard extends AuthGuard('jwt') {
  /**
   * The claims of access tokens and API keys: verifying takes a fifth of the CPU time of a GET. Account, roles and session
   * or key are read for every request. The keys of a process never change; those of the identity provider do.
   */
  private readonly verified = new BoundedMap<Claims>(MAX_REMEMBERED);

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
    if (!route && isPublic(context)) return true;
    if (!route) throw new Error(`${context.getClass().name}.${context.getHandler().name} has no access rule.`);
    const request = requestOf(context);
    const { credential: own } = route.rule;
    const { authorization } = request.headers;
    const params = own ? { [CURRENT]: credentialIn(authorization, own.name) } : request.params;
    request.access = new RequestAccess(route, params as Record<string, string>, this.resources, this.settings);
    if (own) return true;
    const token = route.rule.token?.(this.settings);
    if (token === 'ignored' || (token === 'optional' && authorization === undefined)) return true;
    const credential = credentialIn(authorization);
    const claims = this.known(credential) ?? (await this.verify(credential, context));
    const isEmpty = request.body instanceof RawBody && request.body.isEmpty;
    if (isEmpty && 'subject' in claims && route.rule.registers?.(this.settings)) request.access.registrant = claims;
    await request.access.authenticate(claims, this.accounts);
    // Only now: anybody can make up API keys of the right form.
    if (!('subject' in claims)) this.verified.set(credential, claims);
    return true;
  }

  /** The claims of a credential that was verified before and has not expired. */
  private known(credential: string): Claims | undefined {
    const claims = this.verified.get(credential);
    // In whole seconds, as jsonwebtoken compares.
    return claims && 'exp' in claims && Math.floor(Date.now() / 1000) >= claims.exp ? undefined : claims;
  }

  /** @throws ApiError tokenUnusable, providerUnavailable */
  private async verify(credential: string, context: ExecutionContext): Promise<Claims> {
    if (this.oidcTokens.isIssuerOf(credential)) return this.oidcTokens.verify(credential);
    if (isApiKey(credential)) return { keyHash: hashOfToken(credential) };
    await super.canActivate(context);
    return context.switchToHttp().getRequest<{ claims: Claims }>().claims;
  }

  /** Called with the result of the strategy: an error, the claims, or `false`. */
  override handleRequest<C>(error: unknown, claims: C | false): C {
    if (error) throw error as Error;
    if (!claims) throw apiError('tokenUnusable');
    return claims;
  }
}

/**
 * @param name of the credential, if it is not that of an account
 * @throws ApiError noCredentials, tokenUnusable
 */
function credentialIn(authorization = '', name?: string): string {
  if (!BEARER.test(authorization))
    throw apiError('noCredentials', name && `Send ${name}: Authorization: Bearer TOKEN.`);
  const [, credential] = CREDENTIAL.exec(authorization) ?? [];
  if (credential === undefined) throw apiError('tokenUnusable');
  return credential;
}
