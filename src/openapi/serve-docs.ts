import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';
import { ifNoneMatch } from '../http/etag';
import { PAGE_POLICY } from '../http/html-page';
import { DOCS_PAGE, DOCS_POLICY } from './docs-page';
import { errorsHtml } from './errors-page';
import type { OpenApi } from './open-api';

/** The document that the build writes and the service serves. The path is the same from `src` and from `dist`. */
export const DOCUMENT_FILE = join(__dirname, '../../openapi.json');

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
/** Our own files; `nest build` copies them to `dist`. */
const OWN = join(__dirname, 'ui');

interface StaticFile {
  readonly type: string;
  /** The Content-Security-Policy, if it is a page. */
  readonly policy?: string;
  /** Called once, at the first request. */
  readonly read: () => string | Buffer;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';

const FILES: Readonly<Record<string, StaticFile>> = {
  '/docs': { type: HTML, policy: DOCS_POLICY, read: () => DOCS_PAGE },
  '/docs/swagger-ui.js': { type: SCRIPT, read: () => readFileSync(join(SWAGGER_UI, 'swagger-ui-bundle.js')) },
  '/docs/swagger-ui.css': { type: STYLES, read: () => readFileSync(join(SWAGGER_UI, 'swagger-ui.css')) },
  '/docs/favicon.png': { type: 'image/png', read: () => readFileSync(join(SWAGGER_UI, 'favicon-32x32.png')) },
  '/docs/start.mjs': { type: SCRIPT, read: () => readFileSync(join(OWN, 'start.mjs')) },
  '/docs/login.mjs': { type: SCRIPT, read: () => readFileSync(join(OWN, 'login.mjs')) },
  '/docs/layout.mjs': { type: SCRIPT, read: () => readFileSync(join(OWN, 'layout.mjs')) },
  '/docs/style.css': { type: STYLES, read: () => readFileSync(join(OWN, 'style.css')) },
  '/docs/errors': { type: HTML, policy: PAGE_POLICY, read: errorsHtml },
  '/docs/page.css': { type: STYLES, read: () => readFileSync(join(OWN, 'page.css')) },
};

/**
 * Serves `GET /openapi.json`, which the build wrote, Swagger UI at `GET /docs`, and the error codes at
 * `GET /docs/errors`. None is part of the contract, and no login is needed. Each file is a route, so the router knows
 * which paths exist (404) and their methods (405).
 */
export function serveDocs(app: NestFastifyApplication, { basePath }: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  serve(fastify, `${basePath}/openapi.json`, { type: 'application/json', read: () => documentUnder(basePath) });
  for (const [path, file] of Object.entries(FILES)) serve(fastify, basePath + path, file);
  // Relative, because a proxy may remove the base path.
  fastify.get(`${basePath}/docs/`, (_request, reply) => reply.redirect('../docs', 308));
}

function serve(fastify: FastifyInstance, path: string, { type, policy, read }: StaticFile): void {
  let cached: { content: string | Buffer; etag: string } | undefined;
  fastify.get(path, (request, reply) => {
    if (cached === undefined) {
      const content = read();
      cached = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
    }
    const { content, etag } = cached;
    reply.headers({ etag, ...(policy && { 'content-security-policy': policy }) });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

/** The document, with the base path as its server's URL. */
function documentUnder(basePath: string): string {
  const text = readFileSync(DOCUMENT_FILE, 'utf8');
  if (basePath === '') return text;
  return JSON.stringify({ ...(JSON.parse(text) as OpenApi), servers: [{ url: basePath }] });
}
