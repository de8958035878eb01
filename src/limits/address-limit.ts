import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { onRequestHookHandler } from 'fastify';
import { Settings } from '../config/settings';
import { sendError } from '../errors/error-body';
import { toApiError } from '../errors/to-api-error';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Returns the hook that limits the requests of an address (429; contract §1.1), also on unknown paths, except health checks. */
export function addressLimit(app: NestFastifyApplication, { basePath, maintenance }: Settings): onRequestHookHandler {
  const [limits, overload] = [app.get(RateLimits), app.get(Overload)];
  const health = `${basePath}/health/`;
  return (request, reply, done) => {
    if (request.routeOptions.url?.startsWith(health)) return done();
    // 503 comes first (guards.ts), and nothing may be remembered of new addresses while the heap is full.
    if (maintenance || overload.present) return done();
    limits.byAddress(request.ip).then(
      () => done(),
      (error: unknown) => sendError(reply, toApiError(error)),
    );
  };
}
