import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';
import { ifNoneMatch } from '../http/etag';
import { DOCS_PAGE, DOCS_POLICY, START_SCRIPT } from './docs-page';
import { DOCUMENT_FILE } from './document-file';
import type { OpenApi } from './open-api';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** Something to be served as it is. */
interface Resource {
  readonly type: string;
  /** Reads it; asked once, at the first request. */
  readonly read: () => string | Buffer;
}

const PAGE: Readonly<Record<string, Resource>> = {
  '/docs': { type: 'text/html; charset=utf-8', read: () => DOCS_PAGE },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', read: () => START_SCRIPT },
  '/docs/swagger-ui.js': { type: 'text/javascript; charset=utf-8', read: () => distributed('swagger-ui-bundle.js') },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: () => distributed('swagger-ui.css') },
  '/docs/favicon.png': { type: 'image/png', read: () => distributed('favicon-32x32.png') },
};

/**
 * Serves `GET /openapi.json`, which the build wrote, and Swagger UI at `GET /docs`; outside the contract, without login.
 * Each file is a route of its own, so that the router knows which paths there are (404) and what they have (405).
 */
export function serveDocs(app: NestFastifyApplication, { basePath }: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  serve(fastify, `${basePath}/openapi.json`, { type: 'application/json', read: () => documentUnder(basePath) });
  for (const [path, resource] of Object.entries(PAGE)) serve(fastify, basePath + path, resource);
}

function serve(fastify: FastifyInstance, path: string, { type, read }: Resource): void {
  let kept: { content: string | Buffer; etag: string } | undefined;
  fastify.get(path, (request, reply) => {
    if (kept === undefined) {
      const content = read();
      kept = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
    }
    const { content, etag } = kept;
    reply.headers({ 'content-security-policy': DOCS_POLICY, etag });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

function distributed(file: string): Buffer {
  return readFileSync(join(SWAGGER_UI, file));
}

/** The document; its paths are behind the base path, if there is one. */
function documentUnder(basePath: string): string {
  const text = readFileSync(DOCUMENT_FILE, 'utf8');
  if (basePath === '') return text;
  return JSON.stringify({ ...(JSON.parse(text) as OpenApi), servers: [{ url: basePath }] });
}
