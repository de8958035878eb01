import type { Service } from './service';

/** Routes that are not part of the contract and need no login (contract §9.4). */
export const OUTSIDE = /^GET \/(?:$|health\/|metrics$|openapi\.json$|docs|catalog)/;

/**
 * Every route of a running service, `GET /organizations/:id`, as Fastify's own router tells: also one that no controller
 * declares. HEAD goes with GET.
 */
export function routesOf({ app }: Service): string[] {
  const tree = app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const pieces: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, piece = '', methods = ''] = /^([│ ]*[└├]── )(.+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (indent === undefined) return [];
    pieces.length = indent.length / 4 - 1;
    pieces.push(piece);
    const path = pieces.join('').replace(/\/+/g, '/');
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${path}`);
  });
}
