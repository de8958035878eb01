import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { onRequestHookHandler } from 'fastify';
import { isPublic, requestOf } from '../../http/access/decorators';
import { Settings } from '../../base/settings/settings';
import { DatabaseStart } from '../../records/connection/database-start';
import { ApiError, apiError } from '../../base/errors/api-error';
import { sendError } from '../../http/responses/error-body';
import { toApiError } from '../../http/responses/to-api-error';
import { clientAddress } from './client-address';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Limits the requests of an address (429; contract §8.1), also on unknown paths, but not health checks. */
export function addressLimit(app: NestFastifyApplication, { basePath, maintenance }: Settings): onRequestHookHandler {
  const [limits, overload] = [app.get(RateLimits), app.get(Overload)];
  const health = `${basePath}/health/`;
  return (request, reply, done) => {
    if (request.routeOptions.url?.startsWith(health)) return done();
    // 503 comes first, and nothing may be remembered of new addresses while the heap is full.
    if (maintenance || overload.present) return done();
    limits.countRequest(clientAddress(request.ip)).then(
      () => done(),
      (error: unknown) => sendError(reply, toApiError(error)),
    );
  };
}

/** Check 5 of contract §1.1: maintenance (1902), overload (1903), and a start that has not finished (1901). */
@Injectable()
export class Availability {
  constructor(
    private readonly settings: Settings,
    private readonly overload: Overload,
    private readonly database: DatabaseStart,
  ) {}

  /** Why requests of this method are rejected now, if they are. */
  errorFor(method: string): ApiError | undefined {
    if (this.settings.maintenance) return apiError('maintenance', undefined, { 'retry-after': '120' });
    if (this.overload.present) return apiError('overloaded', undefined, { 'retry-after': '10' });
    const { isReadable, unmetCondition } = this.database;
    const isOpen = ['GET', 'HEAD'].includes(method) ? isReadable : !unmetCondition;
    return isOpen ? undefined : apiError('databaseUnavailable');
  }
}

/** Rejects requests while the service is not available; those with a body were rejected before it was received. */
@Injectable()
export class AvailabilityGuard implements CanActivate {
  constructor(private readonly availability: Availability) {}

  canActivate(context: ExecutionContext): boolean {
    const error = this.availability.errorFor(requestOf(context).method);
    if (error && !isPublic(context)) throw error;
    return true;
  }
}

/** The request limit per account (429), once the account is known; contract §8.1. */
@Injectable()
export class AccountLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const account = requestOf(context).access?.account;
    if (account) await this.limits.countRequest(String(account._id));
    return true;
  }
}
