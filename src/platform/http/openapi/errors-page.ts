import MarkdownIt from 'markdown-it';
import { apiErrors } from '../../base/errors/api-error';
import { fieldErrors } from '../../base/errors/field-error';
import { htmlPage } from './html-page';

type Row = readonly (string | number)[];

/** Lists every error code, from the tables that the service uses, in Markdown: docs/errors.md. */
export function errorsPage(): string {
  const errors = Object.values(apiErrors)
    .map(({ status, code, message }) => [status, code, message] as const)
    .sort(([status, code], [otherStatus, otherCode]) => status - otherStatus || code - otherCode);
  return `# Error codes

An error response has the body \`{"status": "fail", "message": "…", "code": 1501}\`. Its message may be more specific than the one below.

${table(['HTTP', 'Code', 'Message'], ...errors)}

## Field errors

If the body is not valid, the code is 1024 and \`message\` is a list with one item per field: \`{"code": 5001, "title": "name", "detail": "is required"}\`. These are the codes of the items, in the order in which a field is validated; the first error of a field is reported.

${table(['Code', 'Detail'], ...Object.values(fieldErrors).map(({ code, detail }) => [code, detail]))}
`;
}

function table(head: Row, ...rows: Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The same as a web page: GET /docs/errors. Its links are relative, so they work under any BASE_PATH. */
export function errorsHtml(): string {
  const links = '<p><a href="../">Roster</a> · <a href="../docs">Documentation</a></p>';
  // By default it escapes HTML in the Markdown, and refuses links that are scripts.
  return htmlPage('Error codes – Roster', `${links}\n${new MarkdownIt().render(errorsPage())}`, '');
}
