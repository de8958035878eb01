/** A page without scripts, which loads nothing but its stylesheet and its icon. */
export interface HtmlPage {
  readonly title: string;
  /** What the addresses of the stylesheet and the icon start with; without it, the page has neither. */
  readonly assets?: string;
  /** The content, as HTML. */
  readonly body: string;
}

export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function htmlPage({ title, assets, body }: HtmlPage): string {
  const links = [
    `<link rel="icon" type="image/png" href="${assets}favicon.png" />`,
    `<link rel="stylesheet" href="${assets}page.css" />`,
  ];
  const head = [
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    `<title>${title}</title>`,
    ...(assets === undefined ? [] : links),
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
