import { RouteConfig } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';

/** What the decorator adds to the Fastify config of a route. */
interface NoStoreConfig {
  noStore?: boolean;
}

/**
 * For controllers whose responses contain secrets: all of them, errors included, have `Cache-Control: no-store`
 * (contract §2: sessions and tokens). Nest's `@Header` would not cover errors.
 */
export function NoStore(): ClassDecorator {
  const decorate = RouteConfig({ noStore: true } satisfies NoStoreConfig);
  return ({ prototype }) => {
    const { constructor: _constructor, ...methods } = Object.getOwnPropertyDescriptors(prototype as object);
    // Nest reads the config from the handlers.
    for (const [name, method] of Object.entries(methods)) decorate(prototype as object, name, method);
  };
}

/** Returns the paths of such routes, up to the first parameter; complete once all routes are registered. */
export function noStorePaths(fastify: FastifyInstance): ReadonlySet<string> {
  const paths = new Set<string>();
  fastify.addHook('onRoute', (route) => {
    const { noStore }: NoStoreConfig = route.config ?? {};
    if (noStore) paths.add(route.url.replace(/\/:.*$/, ''));
  });
  return paths;
}
