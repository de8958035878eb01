import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../config/settings';
import { sendError } from '../errors/send-error';
import { toApiError } from '../errors/to-api-error';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/**
 * Limits the requests per address (429; contract §1.1): all of them, also on unknown paths, except health checks. Call it
 * before `addRequestHooks`, whose hooks respond to unknown paths.
 */
export function limitAddresses(app: NestFastifyApplication, { basePath, maintenance }: Settings): void {
  const [limits, overload] = [app.get(RateLimits), app.get(Overload)];
  const health = `${basePath}/health/`;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith(health)) return;
    // 503 comes first (guards.ts), and nothing may be remembered of new addresses while the heap is full.
    if (maintenance || overload.present) return;
    try {
      await limits.byAddress(request.ip);
    } catch (error) {
      sendError(reply, toApiError(error));
      return reply;
    }
  });
}
