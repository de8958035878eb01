import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';
import { ifNoneMatch } from '../http/etag';
import { errorsHtml } from './errors-page';

/** The document that the build writes and the service serves. The path is the same from `src` and from `dist`. */
export const DOCUMENT_FILE = join(__dirname, '../../openapi.json');

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
/** Our own files; `nest build` copies them to `dist`. */
const OWN = join(__dirname, 'ui');

const FILES: Readonly<Record<string, string>> = {
  '/docs': join(OWN, 'index.html'),
  '/docs/swagger-ui.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  '/docs/swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  '/docs/favicon.png': join(SWAGGER_UI, 'favicon-32x32.png'),
  '/docs/start.mjs': join(OWN, 'start.mjs'),
  '/docs/login.mjs': join(OWN, 'login.mjs'),
  '/docs/forms.mjs': join(OWN, 'forms.mjs'),
  '/docs/focus.mjs': join(OWN, 'focus.mjs'),
  '/docs/layout.mjs': join(OWN, 'layout.mjs'),
  '/docs/style.css': join(OWN, 'style.css'),
  '/docs/page.css': join(OWN, 'page.css'),
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/** Nothing from other hosts. Images may also be downloaded by its scripts (`blob:`), or in its style sheet (`data:`). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves `GET /openapi.json`, Swagger UI at `GET /docs`, and the error codes at `GET /docs/errors`. Each file is a route. */
export function serveDocs(app: NestFastifyApplication, { basePath }: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  serve(fastify, `${basePath}/openapi.json`, 'application/json', () => documentUnder(basePath));
  serve(fastify, `${basePath}/docs/errors`, TYPES['.html']!, errorsHtml);
  for (const [path, file] of Object.entries(FILES)) {
    serve(fastify, basePath + path, TYPES[extname(file)]!, () => readFileSync(file));
  }
  // Relative, because a proxy may remove the base path.
  fastify.get(`${basePath}/docs/`, (_request, reply) => reply.redirect('../docs', 308));
}

/** @param read is called once, at the first request */
function serve(fastify: FastifyInstance, path: string, type: string, read: () => string | Buffer): void {
  let cached: { content: string | Buffer; etag: string } | undefined;
  fastify.get(path, (request, reply) => {
    if (cached === undefined) {
      const content = read();
      cached = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
    }
    const { content, etag } = cached;
    reply.headers({ etag, ...(type === TYPES['.html'] && { 'content-security-policy': POLICY }) });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

/** The document, with the base path as its server's URL. */
function documentUnder(basePath: string): string {
  const text = readFileSync(DOCUMENT_FILE, 'utf8');
  if (basePath === '') return text;
  return JSON.stringify({ ...(JSON.parse(text) as OpenAPIObject), servers: [{ url: basePath }] });
}
