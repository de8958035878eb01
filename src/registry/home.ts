import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../platform/base/settings/settings';
import { version } from '../platform/base/settings/version';
import { escapeHtml, htmlPage } from '../platform/http/openapi/html-page';

const DESCRIPTION =
  'An HTTP API that keeps a registry of organizations, the people who manage them, and the APIs they publish.';

/** The page has no scripts, and loads nothing but its stylesheet and its icon. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves `GET /`, under a base path with and without a slash at its end: a page for browsers, JSON for programs. */
export function serveHome(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  const [page, json] = [homePage(settings), homeJson(settings)];
  for (const path of new Set([settings.basePath || '/', `${settings.basePath}/`])) {
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

function homeJson({ basePath, contact, docs }: Settings): Record<string, string> {
  return {
    name: 'Roster',
    version,
    description: DESCRIPTION,
    ...(contact && { contact }),
    ...(docs && { docs: `${basePath}/docs`, openapi: `${basePath}/openapi.json`, errors: `${basePath}/docs/errors` }),
    login: `${basePath}/sessions`,
    live: `${basePath}/health/live`,
    ready: `${basePath}/health/ready`,
  };
}

/** The response of `GET /` to browsers. */
function homePage({ basePath, contact, docs, registration }: Settings): string {
  const onlyWithDocs = (html: string): string => (docs ? html : '');
  const address = contact.includes('@') && !contact.includes('://') ? `mailto:${contact}` : contact;
  const accounts =
    registration === 'open' ? 'Anyone can create an account with POST /users.' : 'Admins create accounts.';
  const body = `<h1>Roster <small>${version}</small></h1>
<p>${DESCRIPTION}</p>
<ul>${onlyWithDocs(`
<li><a href="${basePath}/docs">Documentation</a>: read about every operation and try it out, in Swagger UI</li>
<li><a href="${basePath}/openapi.json">OpenAPI document</a>: to generate clients</li>
<li><a href="${basePath}/docs/errors">Error codes</a></li>`)}
<li>Health: <a href="${basePath}/health/live">live</a>, <a href="${basePath}/health/ready">ready</a></li>
</ul>${contact && `\n<p>Questions? <a href="${escapeHtml(address)}">${escapeHtml(contact)}</a></p>`}
<h2>Log in</h2>
<p>${accounts}${onlyWithDocs(`
To try the API, log in with <a href="${basePath}/docs#/sessions/createSession">Swagger UI</a>.`)}
A program sends:</p>
<pre>POST ${basePath}/sessions
Content-Type: application/json

{"username": "…", "password": "…"}</pre>
<p>The response has an <code>accessToken</code>. Send it with every other request:</p>
<pre>Authorization: Bearer &lt;accessToken&gt;</pre>
<p>Programs can send an API key in its place, which <code>POST ${basePath}/users/me/api-keys</code> creates.</p>`;
  return htmlPage('Roster', body, docs ? `${basePath}/docs/` : undefined);
}
