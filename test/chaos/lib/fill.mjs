import { addCopies, withDb } from '../../../bench/data.mjs';

/** Inserts copies of the first Organization, as of last year. What `q` searches stays as in that one. */
export async function fillOrganizations(uri, count) {
  const fieldsOf = (number) => {
    const text = `filler-no-${number}`;
    const names = { name: `Filler no ${number}`, nameKey: `filler no ${number}` };
    const updatedAt = new Date('2025-11-27');
    return { ...names, updatedAt, slugs: [{ text, base: text, index: 0 }] };
  };
  await withDb(uri, (db) => addCopies(db, 'organizations', { first: 1, last: count }, fieldsOf));
}
