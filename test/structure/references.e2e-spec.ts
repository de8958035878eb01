import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyModel } from '../../src/platform/records/connection/any-model';
import { writtenWith } from '../../src/platform/records/references/check-declarations';
import { type Reference, referencesIn } from '../../src/platform/records/references/references';
import { useService } from '../support/service';

const service = useService();

/** The row of a reference in docs/extending.md. */
function rowOf({ from, path, to, onDelete, most }: Reference): string {
  const [kind, detail] = typeof onDelete === 'object' ? Object.entries(onDelete)[0]! : [onDelete, ''];
  const what = kind === 'refuse' ? `refuse: ${String(detail)}` : detail ? `${kind} some` : kind;
  return ['', `\`${from}.${path}\``, to, what, most?.toLocaleString('en-US') ?? '', '']
    .join(' | ')
    .replace(/ +\|/g, ' |')
    .trim();
}

const page = readFileSync(join(__dirname, '../../docs/extending.md'), 'utf8').replace(/ +\|/g, ' |');
const listed: readonly string[] = page.match(/^\| `[A-Z]\w+\.[\w.]+` \| [A-Z].*$/gm) ?? [];

// A new resource need not be listed there.
it('docs/extending.md says of every reference that it lists what a deletion does', () => {
  const rows = (Object.values(service.connection.models) as AnyModel[]).flatMap(referencesIn).map(rowOf);
  expect(listed.length).toBeGreaterThanOrEqual(10);
  expect(listed.filter((row) => !rows.includes(row))).toEqual([]);
});

it('docs/extending.md says how many records the deletion of an Organization writes because of these references', () => {
  const [, most] = /deletion of an Organization writes at most ([\d,]+):/.exec(page) ?? [];
  const written = writtenWith(service.connection, 'Organization').filter(({ by }) =>
    by.every((reference) => listed.includes(rowOf(reference))),
  );
  expect(written.reduce((sum, { count }) => sum + count, 1).toLocaleString('en-US')).toBe(most);
});
