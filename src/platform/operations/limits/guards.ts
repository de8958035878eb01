import { CanActivate, ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { onRequestHookHandler } from 'fastify';
import { requestOf } from '../../http/access/decorators';
import { Settings } from '../../base/settings/settings';
import { visibleText } from '../../base/text/text';
import { DatabaseStart } from '../../records/start/database-start';
import { ApiError, apiError } from '../../base/errors/api-error';
import { sendError } from '../../http/responses/error-body';
import { toApiError } from '../../http/responses/to-api-error';
import { clientAddress, NO_ADDRESS } from './client-address';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Limits the requests of an address (429; contract §8.1), also on unknown paths, but not health checks. */
export function addressLimit(app: NestFastifyApplication, { basePath, maintenance }: Settings): onRequestHookHandler {
  const [limits, overload] = [app.get(RateLimits), app.get(Overload)];
  const health = `${basePath}/health/`;
  let isReported = false;
  return (request, reply, done) => {
    if (request.routeOptions.url?.startsWith(health)) return done();
    // 503 comes first, and nothing may be remembered of new addresses while the heap is full.
    if (maintenance || overload.present) return done();
    const { ip } = request;
    const client = clientAddress(ip);
    if (client === NO_ADDRESS && ip !== undefined && !isReported) {
      isReported = true;
      new Logger('Limits').warn(
        `X-Forwarded-For has ${visibleText(ip.slice(0, 100))}, which is no IP address: all such clients count as one.`,
      );
    }
    limits.countRequest(client).then(
      () => done(),
      (error: unknown) => sendError(reply, toApiError(error)),
    );
  };
}

/** Paths below BASE_PATH that are no operations of the contract (§9.4): they are served all the time. */
const PAGES = /^\/?$|^\/(?:docs|health)\/|^\/(?:docs|openapi\.json|metrics)$/;

/**
 * Rejects operations during maintenance (1902), during an overload (1903), and until the start has finished (1901): check 5
 * of contract §1.1.
 */
export function requireAvailable(
  app: NestFastifyApplication,
  { basePath, maintenance }: Settings,
): onRequestHookHandler {
  const [overload, database] = [app.get(Overload), app.get(DatabaseStart)];
  const errorFor = (method: string): ApiError | undefined => {
    if (maintenance) return apiError('maintenance', undefined, { 'retry-after': '120' });
    if (overload.present) return apiError('overloaded', undefined, { 'retry-after': '10' });
    const isOpen = ['GET', 'HEAD'].includes(method) ? database.isReadable : !database.unmetCondition;
    return isOpen ? undefined : apiError('databaseUnavailable');
  };
  return ({ method, routeOptions }, reply, done) => {
    const error = errorFor(method);
    if (!error || PAGES.test(routeOptions.url!.slice(basePath.length))) return done();
    sendError(reply, error);
  };
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
