import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isPublic } from '../auth/access.decorators';
import type { FastifyRequest } from 'fastify';
import type { AuthorizedRequest } from '../auth/request-access';
import { Settings } from '../config/settings';
import { DatabaseStart } from '../database/database-start';
import { ApiError, apiError } from '../errors/api-error';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Methods that write nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Rejects every operation during maintenance (503, 1902), overload (503, 1903) and until it is known that this version can
 * read the data (503, 1901), and writes and logins until the unique indexes exist (503, 1901); contract §1.1.
 */
@Injectable()
export class AvailabilityGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly overload: Overload,
    private readonly database: DatabaseStart,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const error = this.reason(context.switchToHttp().getRequest<FastifyRequest>());
    if (error && !isPublic(context)) throw error;
    return true;
  }

  private reason({ method }: FastifyRequest): ApiError | undefined {
    if (this.settings.maintenance) return apiError('maintenance', undefined, { 'Retry-After': '120' });
    if (this.overload.present) return apiError('overloaded', undefined, { 'Retry-After': '10' });
    const isOpen = READS.has(method) ? this.database.isReadable : this.database.isWritable;
    return isOpen ? undefined : apiError('databaseUnavailable');
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
