import { RouteConfig } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';

/** What the decorator leaves in a route's Fastify config. */
interface NoStoreConfig {
  noStore?: boolean;
}

/**
 * Marks a controller whose answers hold secrets: all of them, failures too, carry `Cache-Control: no-store` instead of
 * the default (contract §2: sessions and tokens).
 */
export function NoStore(): ClassDecorator {
  const mark = RouteConfig({ noStore: true } satisfies NoStoreConfig);
  return (target) => markEach(target.prototype as object, mark);
}

/**
 * Lets routes that are marked set the header before their guards. Called once, before the routes are registered.
 *
 * @returns tells whether a request target lies where such routes are, for answers that no route gives (404, 405)
 */
export function noStoreRoutes(fastify: FastifyInstance): (target: string) => boolean {
  const roots = new Set<string>();
  fastify.addHook('onRoute', (route) => {
    const { noStore }: NoStoreConfig = route.config ?? {};
    if (!noStore) return;
    roots.add(route.url.replace(/\/:.*$/, ''));
    const others = route.onRequest === undefined ? [] : [route.onRequest].flat();
    route.onRequest = [
      (_request, reply, done) => {
        reply.header('cache-control', 'no-store');
        done();
      },
      ...others,
    ];
  });
  const isBelow = (target: string, root: string): boolean => /^(?:$|[/?])/.test(target.slice(root.length));
  return (target) => [...roots].some((root) => target.startsWith(root) && isBelow(target, root));
}

/** Route configs stand on the handlers, so the mark of a class goes to each of its methods. */
function markEach(prototype: object, mark: MethodDecorator): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    if (name !== 'constructor' && typeof descriptor?.value === 'function') mark(prototype, name, descriptor);
  }
}
