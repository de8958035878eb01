import { declaredOperations } from '../../../contract/operations';
import { SINGLE_WRITES, TRANSACTIONS } from './writes';

it('every operation that writes is tried', () => {
  const writing = declaredOperations().filter(({ method }) => method !== 'GET');
  const tried = Object.keys({ ...TRANSACTIONS, ...SINGLE_WRITES }).map((title) => title.split(' ', 2).join(' '));
  const missing = writing.map(({ title }) => title).filter((title) => !tried.includes(title));
  expect({ missing, addThemTo: 'test/platform/records/all-or-nothing/writes.ts' }).toMatchObject({ missing: [] });
});
