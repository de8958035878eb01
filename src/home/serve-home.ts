import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../config/settings';
import { homeJson, homePage } from './home-page';

/** The page has no scripts, and loads nothing but its stylesheet and its icon. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `GET /`, under a base path with and without a slash at its end: a page for browsers, JSON for programs. */
export function serveHome(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const path of new Set([settings.basePath || '/', `${settings.basePath}/`])) {
    const page = homePage(settings, path);
    const json = homeJson(settings);
    fastify.get(path, (request, reply) => {
      const { vary = [] } = reply.getHeaders();
      reply.header('vary', ['Accept', vary].flat().join(', '));
      if (!prefersHtml(request.headers.accept)) return reply.send(json);
      return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
    });
  }
}

/** Checks whether an Accept header names `text/html`, and rates it higher than `application/json`, as browsers do. */
function prefersHtml(accept = ''): boolean {
  const quality = (type: string): number => {
    const range = accept.split(',').find((one) => one.split(';', 1)[0]!.trim().toLowerCase() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return quality('text/html') > quality('application/json');
}
