import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { isPublic } from './access.decorators';
import type { AccessTokenClaims } from './access-tokens';
import { AccountLoader } from './account';
import { AuthorizedRequest, RequestAccess } from './request-access';
import { Resources } from './resources';
import { RouteAccessTable } from './route-access';
import { VerifiedTokens } from './verified-tokens';

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer(?: |$)/i;

/** One token and nothing after it; passport-jwt would ignore the rest. */
const BEARER_TOKEN = /^\S+ +\S+$/;

/** Checks that the caller has an account: 401 (contract §1.1). */
@Injectable()
export class AccountGuard extends AuthGuard('jwt') {
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly routes: RouteAccessTable,
    private readonly accounts: AccountLoader,
    private readonly resources: Resources,
    private readonly settings: Settings,
  ) {
    super({ property: 'claims' });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.routes.of(context.getHandler() as never);
    if (!route) {
      if (isPublic(context)) return true;
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no access rule.`);
    }
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const params = request.params as Record<string, string>;
    request.access = new RequestAccess(route, params, this.resources, this.settings);
    const token = route.rule.token?.(this.settings);
    const { authorization } = request.headers;
    if (token === 'ignored' || (token === 'optional' && authorization === undefined)) return true;
    const claims = this.verified.find(authorization) ?? (await this.verify(context, authorization));
    await request.access.authenticate(claims, this.accounts);
    return true;
  }

  /** Lets passport-jwt verify the token. @throws ApiError 401 */
  private async verify(context: ExecutionContext, authorization: string | undefined): Promise<AccessTokenClaims> {
    if (!authorization?.match(BEARER)) throw apiError('noCredentials');
    if (!BEARER_TOKEN.test(authorization)) throw apiError('tokenUnusable');
    await super.canActivate(context);
    const { claims } = context.switchToHttp().getRequest<{ claims: AccessTokenClaims }>();
    this.verified.add(authorization, claims);
    return claims;
  }

  /** Called with the strategy's result: an error, `false` for a token that is not valid, or the claims. */
  override handleRequest<C>(error: unknown, claims: C | false): C {
    if (error) throw error as Error;
    if (!claims) throw apiError('tokenUnusable');
    return claims;
  }
}
