/**
 * The page at /docs. Its addresses are relative, so it works under any BASE_PATH, even if a proxy removes that: from
 * `/docs`, `docs/swagger-ui.css` is `/docs/swagger-ui.css`.
 */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Roster API</title>
    <link rel="icon" type="image/png" href="docs/favicon.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="stylesheet" href="docs/style.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui.js"></script>
    <script type="module" src="docs/start.mjs"></script>
  </body>
</html>
`;

/**
 * The page may run its own scripts, call this service, and show images that it downloaded (`blob:`) or that its style
 * sheet contains (`data:`). It loads nothing from other hosts.
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
