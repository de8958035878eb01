import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { LoginEndpoints } from '../access/identity-provider';
import { Settings } from '../../base/settings/settings';
import { type AccessRule, accessRules } from '../access/access-rules';
import { PAGE_POLICY, PAGES } from './markdown-pages';
import { whoMay } from './operations';
import { providerLogin, scriptPolicy, serveFile } from './serve-file';

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

/** Images may also be downloaded by Swagger UI's scripts (`blob:`), or be in its style sheet (`data:`). */
const policy = scriptPolicy('data: blob:');

/** Serves `GET /openapi.json`, Swagger UI at `GET /docs`, and pages of `docs` below it. Each file is a route. */
export function serveDocs(app: NestFastifyApplication, settings: Settings): void {
  const { basePath } = settings;
  const login = providerLogin(app, settings);
  const read = (): string => documentFor(settings, login());
  serveFile(app, `${basePath}/openapi.json`, DOCUMENT_FILE, { read, login, policy });
  for (const name of Object.keys(PAGES)) {
    const file = join(PAGES_FOLDER, `${name}.html`);
    serveFile(app, `${basePath}/docs/${name}`, file, { policy: () => PAGE_POLICY });
  }
  for (const [path, file] of Object.entries(FILES)) serveFile(app, basePath + path, file, { login, policy });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(`${basePath}/docs/`, (_request, reply) => reply.redirect('../docs', 308));
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
