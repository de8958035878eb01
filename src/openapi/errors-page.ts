import { apiErrors } from '../errors/api-error';
import { fieldErrors } from '../errors/field-error';

/** The page docs/errors.md: every code that an answer can carry, from the tables that the service answers by. */
export function errorsPage(): string {
  return [
    '# Error codes',
    'Made by `npm run build` from `src/errors/api-error.ts` and `src/errors/field-error.ts`: change those.',
    'A failure answers with `{"status": "fail", "message": "…", "code": 1234}`. The message may say more than the one below.',
    table(['HTTP', 'Code', 'Message'], failureRows()),
    '## Faults',
    'Content that is not valid answers with code 1024, and `message` is a list with one item a faulty field:',
    '`{"code": 5001, "title": "name", "detail": "is required"}`. These are the codes of the items, in the order in which a field is judged: the first fault of a field is reported.',
    table(
      ['Code', 'Detail'],
      Object.values(fieldErrors).map(({ code, detail }) => [code, detail]),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function failureRows(): (string | number)[][] {
  return Object.values(apiErrors)
    .map(({ status, code, message }) => [status, code, message])
    .sort(
      ([status, code], [otherStatus, otherCode]) =>
        Number(status) - Number(otherStatus) || Number(code) - Number(otherCode),
    );
}

/** A table as prettier leaves it: columns padded to one width. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell, column) => String(cell).padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
