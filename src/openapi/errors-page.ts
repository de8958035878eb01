import { apiErrors } from '../errors/api-error';
import { fieldErrors } from '../errors/field-error';

type Row = readonly (string | number)[];

/** Lists every error code, from the tables that the service uses, in Markdown: docs/errors.md, and GET /docs/errors. */
export function errorsPage(): string {
  const errors = Object.values(apiErrors).map(({ status, code, message }) => [status, code, message] as const);
  errors.sort(([status, code], [otherStatus, otherCode]) => status - otherStatus || code - otherCode);
  return `# Error codes

An error response has the body \`{"status": "fail", "message": "…", "code": 1501}\`. Its message may be more specific than the one below.

${table(['HTTP', 'Code', 'Message'], errors)}

## Field errors

If the body is not valid, the code is 1024 and \`message\` is a list with one item per field: \`{"code": 5001, "title": "name", "detail": "is required"}\`. These are the codes of the items, in the order in which a field is validated; the first error of a field is reported.

${table(
  ['Code', 'Detail'],
  Object.values(fieldErrors).map(({ code, detail }) => [code, detail]),
)}
`;
}

/** A table as prettier formats it: all cells of a column have the same width. */
function table(head: Row, rows: readonly Row[]): string {
  // As code, because `<token>` would be an HTML element.
  const lines = [head, ...rows].map((cells) => cells.map((cell) => String(cell).replace(/<\w+>/, '`$&`')));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [first, ...others] = lines.map(line);
  return [first, line(widths.map((width) => '-'.repeat(width))), ...others].join('\n');
}
