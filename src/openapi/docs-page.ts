/**
 * The page at /docs. Addresses are relative, so that it works under any BASE_PATH and behind a proxy that strips one:
 * from `/docs`, `docs/swagger-ui.css` is beside it.
 */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Roster API</title>
    <link rel="icon" type="image/png" href="docs/favicon.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI; a file of its own, since the page's policy lets no inline script run. A bearer is kept in the
 * browser over reloads (`persistAuthorization`); no validator of somebody else is told of the document.
 */
export const START_SCRIPT = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/**
 * What the page may do: run its own scripts, call this service, show pictures that it got (`blob:`) and those of its
 * style sheet (`data:`). Nothing leads outside.
 */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
