import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { RosterRequest } from '../http/request';
import { AccessPlans } from './access-plans';
import type { Account } from './account';
import { Judgement } from './judgement';
import { JwtStrategy } from './jwt.strategy';

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer(?: |$)/i;

/**
 * The account check, 401 (contract §1.1). Once the token proves good, the account and everything that the path names
 * are read at the same time; what becomes of the latter is the TargetGuard's to judge.
 */
@Injectable()
export class AccountGuard extends AuthGuard() {
  constructor(
    private readonly plans: AccessPlans,
    private readonly settings: Settings,
    strategy: JwtStrategy,
  ) {
    super({ property: 'account', defaultStrategy: strategy.name });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const plan = this.plans.of(context.getHandler() as never);
    if (!plan) return true;
    const request = context.switchToHttp().getRequest<RosterRequest>();
    const judgement = new Judgement(plan, request.params as Record<string, string>, this.settings);
    request.judgement = judgement;
    const credentials = plan.rule.credentials(this.settings);
    const { authorization } = request.headers;
    if (credentials === 'ignored' || (credentials === 'optional' && authorization === undefined)) return true;
    if (!authorization?.match(BEARER)) throw apiError('noCredentials');
    await super.canActivate(context);
    judgement.account = request.account;
    return true;
  }

  /** Passport's verdict: an error, nobody (the token is not good), or the account. */
  override handleRequest<A = Account>(error: unknown, account: A | false): A {
    if (error) throw error as Error;
    if (!account) throw apiError('tokenUnusable');
    return account;
  }
}
