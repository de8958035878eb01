import { apiErrors } from '../errors/api-error';
import { fieldErrors } from '../errors/field-error';

type Row = readonly (string | number)[];

const ERRORS = {
  head: ['HTTP', 'Code', 'Message'],
  rows: Object.values(apiErrors)
    .map(({ status, code, message }) => [status, code, message] as const)
    .sort(([status, code], [otherStatus, otherCode]) => status - otherStatus || code - otherCode),
};
const FIELD_ERRORS = {
  head: ['Code', 'Detail'],
  rows: Object.values(fieldErrors).map(({ code, detail }) => [code, detail]),
};
const ABOUT =
  'An error response has the body `{"status": "fail", "message": "…", "code": 1501}`. Its message may be more specific than the one below.';
const ABOUT_FIELDS =
  'If the body is not valid, the code is 1024 and `message` is a list with one item per field: `{"code": 5001, "title": "name", "detail": "is required"}`. These are the codes of the items, in the order in which a field is validated; the first error of a field is reported.';

/** Lists every error code, from the tables that the service uses, in Markdown: docs/errors.md. */
export function errorsPage(): string {
  return `# Error codes

${ABOUT}

${table(ERRORS)}

## Field errors

${ABOUT_FIELDS}

${table(FIELD_ERRORS)}
`;
}

/** The same as a web page: GET /docs/errors. Its links are relative, so a proxy may remove the base path. */
export function errorsHtml(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Error codes – Roster</title>
<link rel="icon" type="image/png" href="favicon.png" />
<link rel="stylesheet" href="page.css" />
</head>
<body>
<p><a href="../">Roster</a> · <a href="../docs">Documentation</a></p>
<h1>Error codes</h1>
<p>${html(ABOUT)}</p>
${htmlTable(ERRORS)}
<h2>Field errors</h2>
<p>${html(ABOUT_FIELDS)}</p>
${htmlTable(FIELD_ERRORS)}
</body>
</html>
`;
}

interface Table {
  readonly head: Row;
  readonly rows: readonly Row[];
}

function table({ head, rows }: Table): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function htmlTable({ head, rows }: Table): string {
  const line = (cells: Row, name: string): string =>
    `<tr>${cells.map((cell) => `<${name}>${html(String(cell))}</${name}>`).join('')}</tr>`;
  return `<table>\n${line(head, 'th')}\n${rows.map((cells) => line(cells, 'td')).join('\n')}\n</table>`;
}

function html(markdown: string): string {
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replace(/`([^`]*)`/g, '<code>$1</code>');
}
