import { Settings } from '../config/settings';
import { version } from '../config/version';

const DESCRIPTION =
  'An HTTP API that keeps a registry of organizations, the people who manage them, and the APIs they publish.';

/** The response of `GET /` to programs. */
export function homeJson({ basePath, contact, docs }: Settings): Record<string, string> {
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

/** The response of `GET /` to browsers. Links are relative to its path, so a proxy may remove the base path. */
export function homePage({ basePath, contact, docs, registration }: Settings, path: string): string {
  const folder = path.split('/').at(-1);
  const base = folder ? `${folder}/` : '';
  const onlyWithDocs = (html: string): string => (docs ? html : '');
  const address = contact.includes('@') && !contact.includes('://') ? `mailto:${contact}` : contact;
  const accounts =
    registration === 'open' ? 'Anyone can create an account with POST /users.' : 'Admins create accounts.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Roster</title>${onlyWithDocs(`
<link rel="icon" type="image/png" href="${base}docs/favicon.png" />
<link rel="stylesheet" href="${base}docs/page.css" />`)}
</head>
<body>
<h1>Roster <small>${version}</small></h1>
<p>${DESCRIPTION}</p>
<ul>${onlyWithDocs(`
<li><a href="${base}docs">Documentation</a>: read about every operation and try it out, in Swagger UI</li>
<li><a href="${base}openapi.json">OpenAPI document</a>: to generate clients</li>
<li><a href="${base}docs/errors">Error codes</a></li>`)}
<li>Health: <a href="${base}health/live">live</a>, <a href="${base}health/ready">ready</a></li>
</ul>${contact && `\n<p>Questions? <a href="${address}">${contact}</a></p>`}
<h2>Log in</h2>
<p>${accounts}${onlyWithDocs(`
To try the API, log in with <a href="${base}docs#/sessions/createSession">Swagger UI</a>.`)}
A program sends:</p>
<pre>POST ${basePath}/sessions
Content-Type: application/json

{"username": "…", "password": "…"}</pre>
<p>The response has an <code>accessToken</code>. Send it with every other request:</p>
<pre>Authorization: Bearer &lt;accessToken&gt;</pre>
</body>
</html>
`;
}
