import { Settings } from '../config/settings';
import { version } from '../config/version';
import { escapeHtml, htmlPage } from '../http/html-page';

const DESCRIPTION =
  'An HTTP API that keeps a registry of organizations, the people who manage them, and the APIs they publish.';

/** What `GET /` tells programs. */
export function homeJson({ basePath, docs }: Settings): Record<string, string> {
  return {
    name: 'Roster',
    version,
    description: DESCRIPTION,
    ...(docs && {
      docs: `${basePath}/docs`,
      openapi: `${basePath}/openapi.json`,
      errors: `${basePath}/docs/errors`,
    }),
    login: `${basePath}/sessions`,
    live: `${basePath}/health/live`,
    ready: `${basePath}/health/ready`,
  };
}

/**
 * What `GET /` shows in a browser.
 * @param path the path of the request: links are relative, so they work even if a proxy removes the base path
 */
export function homePage(settings: Settings, path: string): string {
  const { basePath, docs, registration } = settings;
  const folder = path.split('/').at(-1);
  const base = folder ? `${folder}/` : '';
  const link = (to: string, text: string): string => `<a href="${base}${to}">${text}</a>`;
  const documentation = [
    `${link('docs', 'Documentation')}: read about every operation and try it out, in Swagger UI`,
    `${link('openapi.json', 'OpenAPI document')}: to generate clients`,
    `${link('docs/errors', 'Error codes')}`,
  ];
  const health = `Health: ${link('health/live', 'live')}, ${link('health/ready', 'ready')}`;
  const ways = [
    registration === 'open' ? 'Anyone can create an account with POST /users.' : 'Admins create accounts.',
    ...(docs ? [`To try the API, log in with ${link('docs#/sessions/createSession', 'Swagger UI')}.`] : []),
    'A program sends:',
  ];
  const body = [
    `<h1>Roster <small>${version}</small></h1>`,
    `<p>${DESCRIPTION}</p>`,
    `<ul>${[...(docs ? documentation : []), health].map((item) => `<li>${item}</li>`).join('')}</ul>`,
    '<h2>Log in</h2>',
    `<p>${ways.join(' ')}</p>`,
    `<pre>POST ${basePath}/sessions\nContent-Type: application/json\n\n{"username": "…", "password": "…"}</pre>`,
    '<p>The response has an <code>accessToken</code>. Send it with every other request:</p>',
    `<pre>${escapeHtml('Authorization: Bearer <accessToken>')}</pre>`,
  ];
  return htmlPage({ title: 'Roster', assets: docs ? `${base}docs/` : undefined, body: body.join('\n') });
}
