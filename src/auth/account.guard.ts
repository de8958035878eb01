import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Settings } from '../config/settings';
import { ApiError, apiError } from '../errors/api-error';
import { isPublic } from './access.decorators';
import { AccountLoader } from './account';
import { BEARER, BEARER_CREDENTIAL, type Claims, STRATEGIES } from './credentials';
import { AuthorizedRequest, RequestAccess } from './request-access';
import { Resources } from './resources';
import { RouteAccessTable } from './route-access';
import { VerifiedTokens } from './verified-tokens';

/** Checks that the caller has an account that is not suspended: 401, 403, 503 (contract §1.1). */
@Injectable()
export class AccountGuard extends AuthGuard([...STRATEGIES]) {
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
    const known = this.verified.find(authorization);
    const claims = known ?? (await this.verify(context, authorization));
    await request.access.authenticate(claims, this.accounts);
    // Only now: anybody can make up API keys of the right form.
    if (!known) this.verified.add(authorization!, claims);
    return true;
  }

  /** Lets the strategies verify the credential. @throws ApiError 401, 503 */
  private async verify(context: ExecutionContext, authorization: string | undefined): Promise<Claims> {
    if (!authorization?.match(BEARER)) throw apiError('noCredentials');
    if (!BEARER_CREDENTIAL.test(authorization)) throw apiError('tokenUnusable');
    await super.canActivate(context);
    return context.switchToHttp().getRequest<{ claims: Claims }>().claims;
  }

  /**
   * Called with the result of the strategies: an error, the claims, or `false` for a credential that is not valid, with
   * the reason of each strategy. passport-jwt makes a reason of whatever prevents it from getting a key.
   */
  override handleRequest<C>(error: unknown, claims: C | false, reasons?: unknown): C {
    if (error) throw error as Error;
    const unavailable = [reasons].flat().find((reason) => reason instanceof ApiError);
    if (unavailable) throw unavailable;
    if (!claims) throw apiError('tokenUnusable');
    return claims;
  }
}
