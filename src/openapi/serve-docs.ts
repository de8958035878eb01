import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';
import { ifNoneMatch } from '../http/etag';
import { DOCS_PAGE, DOCS_POLICY, START_SCRIPT } from './docs-page';
import type { OpenApi } from './open-api';

/** The document that the build writes and the service serves. The path is the same from `src` and from `dist`. */
export const DOCUMENT_FILE = join(__dirname, '../../openapi.json');

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

interface StaticFile {
  readonly type: string;
  /** Called once, at the first request. */
  readonly read: () => string | Buffer;
}

const FILES: Readonly<Record<string, StaticFile>> = {
  '/docs': { type: 'text/html; charset=utf-8', read: () => DOCS_PAGE },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', read: () => START_SCRIPT },
  '/docs/swagger-ui.js': { type: 'text/javascript; charset=utf-8', read: () => distributed('swagger-ui-bundle.js') },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: () => distributed('swagger-ui.css') },
  '/docs/favicon.png': { type: 'image/png', read: () => distributed('favicon-32x32.png') },
};

/**
 * Serves `GET /openapi.json`, which the build wrote, and Swagger UI at `GET /docs`; neither is part of the contract, and
 * no login is needed. Each file is a route, so the router knows which paths exist (404) and their methods (405).
 */
export function serveDocs(app: NestFastifyApplication, { basePath }: Settings): void {
  const fastify = app.getHttpAdapter().getInstance();
  serve(fastify, `${basePath}/openapi.json`, { type: 'application/json', read: () => documentUnder(basePath) });
  for (const [path, file] of Object.entries(FILES)) serve(fastify, basePath + path, file);
}

function serve(fastify: FastifyInstance, path: string, { type, read }: StaticFile): void {
  let cached: { content: string | Buffer; etag: string } | undefined;
  fastify.get(path, (request, reply) => {
    if (cached === undefined) {
      const content = read();
      cached = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
    }
    const { content, etag } = cached;
    reply.headers({ 'content-security-policy': DOCS_POLICY, etag });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

function distributed(file: string): Buffer {
  return readFileSync(join(SWAGGER_UI, file));
}

/** The document, with the base path as its server's URL. */
function documentUnder(basePath: string): string {
  const text = readFileSync(DOCUMENT_FILE, 'utf8');
  if (basePath === '') return text;
  return JSON.stringify({ ...(JSON.parse(text) as OpenApi), servers: [{ url: basePath }] });
}
