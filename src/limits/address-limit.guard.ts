import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isPublic } from '../auth/public.decorator';
import { RosterRequest } from '../http/request';
import { RateLimits } from './rate-limits';

/** The request limit per address (429), before authentication; contract §1.1. */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!isPublic(context)) await this.limits.byAddress(context.switchToHttp().getRequest<RosterRequest>());
    return true;
  }
}
