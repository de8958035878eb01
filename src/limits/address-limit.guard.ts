import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isPublic } from '../auth/access.decorators';
import type { FastifyRequest } from 'fastify';
import { RateLimits } from './rate-limits';

/** The request limit per address (429), before authentication; contract §1.1. */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!isPublic(context)) await this.limits.byAddress(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}
