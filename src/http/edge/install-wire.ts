import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../../config/settings';
import { leaveLengthOutOf304 } from './head-routes';
import { handOverUnreadBodies } from './unread-bodies';
import { noStoreRoutes } from './no-store.decorator';
import { judgePaths } from './paths';

/**
 * Installs what happens between Nest's middleware and the first guard: the judgement of path and method, and the unread
 * body. Call it once, right after `NestFactory.create` and before anything that registers routes or answers by itself
 * (overload, maintenance, docs, `app.init()`), since the path is judged first (contract §1.1).
 */
export function installWire(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  judgePaths(fastify, noStoreRoutes(fastify));
  leaveLengthOutOf304(fastify);
  handOverUnreadBodies(fastify, settings.bodyLimit);
}
