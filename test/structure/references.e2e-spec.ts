import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyModel } from '../../src/platform/records/connection/any-model';
import { type Reference, referencesIn } from '../../src/platform/records/references/references';
import { useService } from '../support/service';

const service = useService();

/** The row of a reference in docs/extending.md. */
function rowOf({ from, path, to, onDelete, most }: Reference): string {
  const [kind, detail] = typeof onDelete === 'object' ? Object.entries(onDelete)[0]! : [onDelete, ''];
  const what = kind === 'refuse' ? `refuse: ${String(detail)}` : detail ? `${kind} some` : kind;
  return ['', `\`${from}.${path}\``, to, what, most?.toLocaleString('en-US') ?? '', ''].join(' | ').trim();
}

it('docs/extending.md lists every reference with what a deletion does', () => {
  const page = readFileSync(join(__dirname, '../../docs/extending.md'), 'utf8').replace(/ +\|/g, ' |');
  const references = (Object.values(service.connection.models) as AnyModel[]).flatMap(referencesIn);
  const rows = references.map(rowOf);
  expect(rows.filter((row) => !page.includes(row.replace(/ +\|/g, ' |')))).toEqual([]);
  expect(page.match(/^\| `[A-Z]\w+\.[\w.]+` \| [A-Z]/gm)).toHaveLength(rows.length);
});
