import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isPublic } from '../auth/access.decorators';
import type { AuthorizedRequest } from '../auth/request-access';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Rejects every operation during maintenance (503, 1902) and overload (503, 1903); contract §1.1. */
@Injectable()
export class AvailabilityGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly overload: Overload,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (isPublic(context)) return true;
    if (this.settings.maintenance) throw apiError('maintenance', undefined, { 'Retry-After': '120' });
    if (this.overload.present) throw apiError('overloaded', undefined, { 'Retry-After': '10' });
    return true;
  }
}

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
