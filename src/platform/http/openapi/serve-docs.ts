import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';
import { IdentityProvider, type LoginEndpoints } from '../access/identity-provider';
import { Settings } from '../../base/settings/settings';
import { type AccessRule, accessRules } from '../access/access-rules';
import { ifNoneMatch } from '../responses/etag';
import { PAGE_POLICY, PAGES } from './markdown-pages';
import { whoMay } from './operations';

/** The document that the build writes and the service serves. The path is the same from `src` and from `dist`. */
export const DOCUMENT_FILE = join(__dirname, '../../../../openapi.json');

/** Where the build writes the pages of `PAGES` as HTML. */
export const PAGES_FOLDER = join(dirname(DOCUMENT_FILE), 'dist/pages');

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
/** Our own files; `nest build` copies them to `dist`. */
const OWN = join(__dirname, 'ui');

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(readdirSync(OWN).map((name) => [`/docs/${name}`.replace('/index.html', ''), join(OWN, name)])),
  '/docs/swagger-ui.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  '/docs/swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  '/docs/favicon.png': join(SWAGGER_UI, 'favicon-32x32.png'),
  // The identity provider returns here in the window of its login. Swagger UI's page reads the code there.
  '/docs/oauth2-redirect.html': join(SWAGGER_UI, 'oauth2-redirect.html'),
  '/docs/oauth2-redirect.js': join(SWAGGER_UI, 'oauth2-redirect.js'),
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};

/**
 * Nothing from other hosts, except the tokens of the identity provider. Images may also be downloaded by its scripts
 * (`blob:`), or be in its style sheet (`data:`).
 */
const policy = (login: LoginEndpoints | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", login && new URL(login.tokenUrl).origin].filter(Boolean).join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Returns the login that Swagger UI offers at this moment: none without a client, or until the provider has responded. */
type CurrentLogin = () => LoginEndpoints | undefined;

/** Serves `GET /openapi.json`, Swagger UI at `GET /docs`, and pages of `docs` below it. Each file is a route. */
export function serveDocs(app: NestFastifyApplication, settings: Settings): void {
  const { basePath, oidcClientId } = settings;
  const fastify = app.getHttpAdapter().getInstance();
  const provider = app.get(IdentityProvider);
  const login: CurrentLogin = () => (oidcClientId ? provider.endpoints : undefined);
  serve(fastify, `${basePath}/openapi.json`, 'application/json', () => documentFor(settings, login()), login);
  for (const name of Object.keys(PAGES)) {
    const read = (): Buffer => readFileSync(join(PAGES_FOLDER, `${name}.html`));
    serve(fastify, `${basePath}/docs/${name}`, TYPES['.html']!, read, undefined, PAGE_POLICY);
  }
  for (const [path, file] of Object.entries(FILES)) {
    serve(fastify, basePath + path, TYPES[extname(file)]!, () => readFileSync(file), login);
  }
  fastify.get(`${basePath}/docs/`, (_request, reply) => reply.redirect('../docs', 308));
}

/**
 * @param read is called at the first request, and again when the login has changed
 * @param pagePolicy of a page, in place of that of Swagger UI
 */
function serve(
  fastify: FastifyInstance,
  path: string,
  type: string,
  read: () => string | Buffer,
  currentLogin: CurrentLogin = () => undefined,
  pagePolicy: string | undefined = undefined,
): void {
  let cached: { content: string | Buffer; etag: string; login: LoginEndpoints | undefined } | undefined;
  fastify.get(path, (request, reply) => {
    const login = currentLogin();
    if (!cached || cached.login !== login) {
      const content = read();
      cached = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"`, login };
    }
    const { content, etag } = cached;
    reply.headers({ etag, ...(type === TYPES['.html'] && { 'content-security-policy': pagePolicy ?? policy(login) }) });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

/**
 * The document, with the base path in its server's URL and in its links, what the settings say about access, and the login
 * of the identity provider.
 */
function documentFor(settings: Settings, login: LoginEndpoints | undefined): string {
  const { basePath, oidcClientId, oidcScope } = settings;
  const rules = Object.values<AccessRule>({ ...accessRules });
  const text = rules.reduce(
    (all, { whoHere, ...rule }) =>
      whoHere ? all.replaceAll(whoMay(rule), whoMay({ ...rule, who: whoHere(settings), note: '' })) : all,
    readFileSync(DOCUMENT_FILE, 'utf8'),
  );
  if (basePath === '' && !login) return text;
  const document = JSON.parse(text.replaceAll('](/docs', `](${basePath}/docs`)) as OpenAPIObject;
  if (basePath !== '') document.servers = [{ url: basePath }];
  document.externalDocs!.url = basePath + document.externalDocs!.url;
  if (login) {
    // The authorization code flow with PKCE (RFC 9700 §2.1.1), as a public client. ui/login.mjs looks for the name.
    const identityProvider = {
      type: 'oauth2' as const,
      description: 'Log in with your company account.',
      flows: {
        authorizationCode: { ...login, scopes: Object.fromEntries(oidcScope.split(' ').map((one) => [one, ''])) },
      },
      'x-client-id': oidcClientId,
    };
    // First in the dialog of Swagger UI.
    document.components!.securitySchemes = { identityProvider, ...document.components!.securitySchemes };
  }
  return JSON.stringify(document);
}
