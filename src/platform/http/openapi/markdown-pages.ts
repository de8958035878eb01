import { posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

/** The pages have no scripts, and load nothing but their stylesheet and their icon. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The pages of `docs` that the service shows, by the name in their path: `/docs/contract`. */
export const PAGES: Readonly<Record<string, string>> = {
  contract: 'docs/contract.md',
  limits: 'docs/limits.md',
  errors: 'docs/errors.md',
  versioning: 'docs/versioning.md',
};

const LINKS =
  '<nav><a href="../">Roster</a> · <a href="../docs">Documentation</a> · ' +
  Object.keys(PAGES)
    .map((name) => `<a href="${name}">${name[0]!.toUpperCase()}${name.slice(1)}</a>`)
    .join(' · ') +
  '</nav>';

/**
 * Makes a web page without scripts of a page in Markdown: HTML in it is escaped. Its links are relative, so they work under
 * any BASE_PATH; those to files that the service does not show become text.
 */
export function renderPage(markdown: string): string {
  // By default it escapes HTML in the Markdown, and refuses links that are scripts.
  const parser = new MarkdownIt();
  const tokens = parser.parse(markdown, {});
  const anchors = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1]?.content ?? '';
    if (token.type === 'heading_open') token.attrSet('id', unused(anchorOf(tokens[index + 1]!), anchors));
    // The first place of an error code: `/docs/errors#1501`.
    if (token.type === 'td_open' && /^\d{4}$/.test(text) && !anchors.has(text))
      token.attrSet('id', unused(text, anchors));
    for (const link of token.children ?? []) if (link.type === 'link_open') adaptLink(link, token.children!);
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${parser.utils.escapeHtml(tokens[1]?.content ?? '')} – Roster</title>
<link rel="icon" type="image/png" href="favicon.png" />
<link rel="stylesheet" href="page.css" />
</head>
<body>
${LINKS}
<main>
${parser.renderer.render(tokens, parser.options, {})}
</main>
</body>
</html>
`;
}

/** The anchor that GitHub gives a heading, so links between the files work here too. */
function anchorOf({ children }: Token): string {
  const text = (children ?? []).map(({ content }) => content).join('');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function unused(anchor: string, anchors: Set<string>): string {
  let name = anchor;
  for (let n = 1; anchors.has(name); n++) name = `${anchor}-${n}`;
  anchors.add(name);
  return name;
}

/** Leads a link to the page of a file. */
function adaptLink(link: Token, children: Token[]): void {
  const [path = '', anchor] = String(link.attrGet('href')).split('#');
  if (path === '' || /^(https?|mailto):/.test(path)) return;
  const file = posix.join('docs', path);
  const page = Object.keys(PAGES).find((name) => PAGES[name] === file);
  if (page) return link.attrSet('href', [page, anchor].filter(Boolean).join('#'));
  const end =
    children[children.findIndex((token, index) => index > children.indexOf(link) && token.type === 'link_close')]!;
  for (const token of [link, end]) token.tag = 'span';
  link.attrs = null;
}
