/**
 * Makes a page for browsers, without scripts.
 * @param assets the folder of its icon and stylesheet, relative, so a proxy may remove the base path; with DOCS=off, none
 */
export function htmlPage(title: string, body: string, assets: string | undefined): string {
  const links = `
<link rel="icon" type="image/png" href="${assets}favicon.png" />
<link rel="stylesheet" href="${assets}page.css" />`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title}</title>${assets === undefined ? '' : links}
</head>
<body>
${body}
</body>
</html>
`;
}
