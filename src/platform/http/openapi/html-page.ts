/** The pages have no scripts, and load nothing but their stylesheet and their icon. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Makes a page for browsers, without scripts.
 * @param assets the address of the folder of its icon and stylesheet; with DOCS=off, none
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

/** Escapes a text for HTML, also within the quotes of an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
