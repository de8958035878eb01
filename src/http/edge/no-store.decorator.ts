import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { FastifyInstance } from 'fastify';
import type { RouteSettings } from '../response-plan';

/** Sets `Cache-Control: no-store` on all responses of a controller; Nest's `@Header` would not cover errors. */
export function NoStore(): ClassDecorator {
  return ({ prototype }) => {
    const { constructor: _constructor, ...methods } = Object.getOwnPropertyDescriptors(prototype as object);
    // Nest reads the config from the handlers.
    for (const [name, method] of Object.entries(methods)) {
      const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method.value as object) as RouteSettings;
      RouteConfig({ ...config, noStore: true } satisfies RouteSettings)(prototype as object, name, method);
    }
  };
}

/** Returns the paths of such routes, up to the first parameter; complete once all routes are registered. */
export function noStorePaths(fastify: FastifyInstance): ReadonlySet<string> {
  const paths = new Set<string>();
  fastify.addHook('onRoute', (route) => {
    if (route.config && 'noStore' in route.config) paths.add(route.url.replace(/\/:.*$/, ''));
  });
  return paths;
}
