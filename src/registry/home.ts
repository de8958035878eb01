import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../platform/base/settings/settings';
import { version } from '../platform/base/settings/version';
import type { LoginEndpoints } from '../platform/http/access/identity-provider';
import { PAGES } from '../platform/http/openapi/markdown-pages';
import { providerLogin } from '../platform/http/openapi/serve-file';
import { API_CATALOG_PATH } from './apis/api-catalog-linkset';

const DESCRIPTION =
  'An HTTP API that keeps a registry of organizations, the people who manage them, and the APIs they publish.';

/** Serves `GET /`, under a base path with and without a slash at its end. Browsers are redirected to a page. */
export function serveHome(app: NestFastifyApplication, settings: Settings): void {
  const { basePath, catalog, docs } = settings;
  const page = catalog ? '/catalog/' : docs && '/docs';
  const login = providerLogin(app, settings);
  const fastify = app.getHttpAdapter().getInstance();
  for (const path of new Set([basePath || '/', `${basePath}/`])) {
    fastify.get(path, (request, reply) => {
      const { accept = '' } = request.headers;
      const prefersHtml = weightOf('text/html', accept) > weightOf('application/json', accept);
      reply.header('cache-control', 'no-store');
      return page && prefersHtml ? reply.redirect(basePath + page) : reply.send(homeJson(settings, login()));
    });
  }
}

/** The weight that an Accept header gives a media type: 0 if it does not name it. */
function weightOf(type: string, accept: string): number {
  const match = new RegExp(`${type}(?:\\s*;\\s*q=([0-9.]+))?`, 'i').exec(accept);
  return match ? Number(match[1] ?? 1) : 0;
}

function homeJson(settings: Settings, login: LoginEndpoints | undefined): Record<string, unknown> {
  const { apiCatalog, basePath, catalog, docs, oidcClientId: clientId, oidcScope: scope } = settings;
  return {
    name: 'Roster',
    version,
    description: DESCRIPTION,
    access: accessTo(settings),
    ...(catalog && { catalog: `${basePath}/catalog/` }),
    ...(docs && { docs: `${basePath}/docs`, openapi: `${basePath}/openapi.json` }),
    ...(docs && Object.fromEntries(Object.keys(PAGES).map((name) => [name, `${basePath}/docs/${name}`]))),
    ...(apiCatalog === 'public' && { apiCatalog: API_CATALOG_PATH }),
    login: `${basePath}/sessions`,
    // Browsers log in there as a public client, with PKCE.
    ...(login && { identityProvider: { ...login, clientId, scope } }),
    live: `${basePath}/health/live`,
    ready: `${basePath}/health/ready`,
  };
}

/** How to get an account. */
function accessTo({ basePath, oidcCreateUsers, oidcIssuer, registration }: Settings): string {
  if (oidcCreateUsers) return `Send POST ${basePath}/users without a body, with an access token of ${oidcIssuer}.`;
  if (registration === 'open') return `Create an account with POST ${basePath}/users.`;
  return 'Admins create accounts: ask the operator of this service for one.';
}
