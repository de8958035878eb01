import { getConnectionToken } from '@nestjs/mongoose';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Connection } from 'mongoose';
import { Settings } from '../platform/base/settings/settings';
import { version } from '../platform/base/settings/version';
import { PAGES } from '../platform/http/openapi/markdown-pages';
import { withTimeout } from '../platform/records/connection/with-timeout';
import { escapeHtml, htmlPage, PAGE_POLICY } from '../platform/http/openapi/html-page';

const DESCRIPTION =
  'An HTTP API that keeps a registry of organizations, the people who manage them, and the APIs they publish.';

/** Serves `GET /`, under a base path with and without a slash at its end: a page for browsers, JSON for programs. */
export function serveHome(app: NestFastifyApplication, settings: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  const counts = settings.apiCatalog === 'public' ? estimates(app) : () => Promise.resolve(undefined);
  for (const path of new Set([settings.basePath || '/', `${settings.basePath}/`])) {
    fastify.get(path, async (request, reply) => {
      const { vary = [] } = reply.getHeaders();
      reply.header('vary', ['Accept', vary].flat().join(', '));
      if (!prefersHtml(request.headers.accept)) return reply.send(homeJson(settings, await counts()));
      const page = homePage(settings, await counts());
      return reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page);
    });
  }
}

/** How many records everybody may know of. */
interface Counts {
  readonly organizations: number;
  readonly publicApis: number;
}

const COUNTED_MS = 60_000;
/** A database that takes longer is slow: the page is shown without counts. */
const PATIENCE_MS = 200;

/** Counts at most once in a minute, whoever asks. */
function estimates(app: NestFastifyApplication): () => Promise<Counts | undefined> {
  const { models } = app.get<Connection>(getConnectionToken());
  let [current, until]: [Promise<Counts | undefined>, number] = [Promise.resolve(undefined), 0];
  const count = async (): Promise<Counts> => {
    const limit = { maxTimeMS: PATIENCE_MS };
    const counting = [
      models.Organization!.estimatedDocumentCount(limit),
      models.Api!.countDocuments({ isPublic: true }, limit),
    ] as const;
    const [organizations, publicApis] = await withTimeout(PATIENCE_MS, Promise.all(counting), () => new Error('slow'));
    return { organizations, publicApis };
  };
  return () => {
    if (Date.now() >= until) [current, until] = [count().catch(() => undefined), Date.now() + COUNTED_MS];
    return current;
  };
}

/** Checks whether an Accept header names `text/html`, and rates it higher than `application/json`, as browsers do. */
function prefersHtml(accept = ''): boolean {
  const quality = (type: string): number => {
    const range = accept.split(',').find((one) => one.split(';', 1)[0]!.trim().toLowerCase() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return quality('text/html') > quality('application/json');
}

function homeJson(settings: Settings, counts?: Counts): Record<string, unknown> {
  const { basePath, contact, docs } = settings;
  return {
    name: 'Roster',
    version,
    description: DESCRIPTION,
    ...counts,
    access: accessTo(settings),
    ...(contact && { contact }),
    ...(docs && { docs: `${basePath}/docs`, openapi: `${basePath}/openapi.json` }),
    ...(docs && Object.fromEntries(Object.keys(PAGES).map((name) => [name, `${basePath}/docs/${name}`]))),
    login: `${basePath}/sessions`,
    live: `${basePath}/health/live`,
    ready: `${basePath}/health/ready`,
  };
}

/** How to get an account. */
function accessTo({ basePath, contact, oidcCreateUsers, oidcIssuer, registration }: Settings): string {
  if (oidcCreateUsers) return `Send POST ${basePath}/users without a body, with an access token of ${oidcIssuer}.`;
  if (registration === 'open') return `Create an account with POST ${basePath}/users.`;
  return `Admins create accounts: ask ${contact || 'the operator of this service'} for one.`;
}

/** The response of `GET /` to browsers. */
function homePage(settings: Settings, counts?: Counts): string {
  const { basePath, contact, docs } = settings;
  const onlyWithDocs = (html: string): string => (docs ? html : '');
  const address = contact.includes('@') && !contact.includes('://') ? `mailto:${contact}` : contact;
  const body = `<h1>Roster <small>${version}</small></h1>
<p>${DESCRIPTION}${counts ? ` About ${counts.organizations} Organizations and ${counts.publicApis} public APIs are here.` : ''}</p>
<ul>${onlyWithDocs(`
<li><a href="${basePath}/docs">Documentation</a>: read about every operation and try it out, in Swagger UI</li>
<li><a href="${basePath}/openapi.json">OpenAPI document</a>: to generate clients</li>
<li><a href="${basePath}/docs/contract">Contract</a>: what a client can rely on, and its <a href="${basePath}/docs/limits">limits</a></li>
<li><a href="${basePath}/docs/errors">Error codes</a>, and what to do about each</li>
<li><a href="${basePath}/docs/versioning">Versioning</a></li>`)}
<li>Health: <a href="${basePath}/health/live">live</a>, <a href="${basePath}/health/ready">ready</a></li>
</ul>${contact && `\n<p>Questions? <a href="${escapeHtml(address)}">${escapeHtml(contact)}</a></p>`}
<h2>Get access</h2>
<p>${escapeHtml(accessTo(settings))}</p>
<h2>Log in</h2>
<p>${onlyWithDocs(`
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
