import { fieldAdvice } from '../../base/errors/advice';
import { type ErrorName, apiErrors } from '../../base/errors/api-error';
import { type FieldErrorName, fieldErrors } from '../../base/errors/field-error';

type Row = readonly (string | number)[];

/**
 * Lists every error code, from the tables that the service uses, in Markdown: docs/errors.md.
 * @param advice what a client does about each
 */
export function errorsPage(advice: Readonly<Record<ErrorName, string>>): string {
  const errors = Object.entries(apiErrors)
    .map(([name, { status, code, message }]) => [status, code, message, advice[name as ErrorName]] as const)
    .sort(([status, code], [otherStatus, otherCode]) => status - otherStatus || code - otherCode);
  const fields = Object.entries(fieldErrors).map(([name, { code, detail }]) => {
    return [code, detail, fieldAdvice[name as FieldErrorName]] as const;
  });
  return `# Error codes

The message of an error may be more specific than the one below. Its header \`Link\` (\`rel="help"\`) leads to the row of its code on the service’s page \`/docs/errors\`.

${table(['HTTP', 'Code', 'Message', 'What to do'], ...errors)}

## Field errors

These are the codes in the list of a 400 1024, in the order in which a field is validated; the first error of a field is reported.

${table(['Code', 'Detail', 'What to do'], ...fields)}
`;
}

function table(head: Row, ...rows: Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => cells.join(' | ')).join('\n');
}
