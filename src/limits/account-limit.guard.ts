import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { AuthorizedRequest } from '../auth/request-access';
import { RateLimits } from './rate-limits';

/** The request limit per account (429), once the account is known; contract §1.1. */
@Injectable()
export class AccountLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const account = context.switchToHttp().getRequest<AuthorizedRequest>().access?.account;
    if (account) await this.limits.byAccount(String(account._id));
    return true;
  }
}
