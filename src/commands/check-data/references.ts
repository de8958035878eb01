import type { AnyModel } from '../../platform/records/driver/any-model';
import { allowed, isOwnId } from '../../platform/records/writes/add-references';
import { type Reference, referencesIn } from '../../platform/records/schema/references';
import { valuesAt } from '../../platform/records/schema/values-at';
import { byId, Check, Stored } from './finding';

/**
 * Checks the references that a schema declares: each id belongs to a record that it may name, and a list has each once.
 */
export function referenceChecks(model: AnyModel): Check[] {
  return referencesIn(model)
    .filter(({ onDelete }) => onDelete !== 'keep')
    .map((reference) => async (records, connection) => {
      const { path, to, among } = reference;
      const idsOf = (record: Stored): unknown[] =>
        valuesAt(record, path).filter((id) => id !== null && id !== undefined);
      const fields = Object.fromEntries(['_id', ...Object.keys(among)].map((name) => [name, 1]));
      const known = await byId(connection, to, records.flatMap(idsOf), fields);
      return (record) => {
        const texts = idsOf(record).map(String);
        const repeated = texts.filter((id, index) => texts.indexOf(id) !== index);
        return [
          ...idsOf(record).flatMap((id) => {
            const problem = problemOf(reference, record, String(id), known.get(String(id)));
            return problem ? [`${path}: ${problem}`] : [];
          }),
          ...repeated.map((id) => `${path} has the id ${id} twice`),
        ];
      };
    });
}

function problemOf(reference: Reference, record: Stored, id: string, named: Stored | undefined): string | undefined {
  if (!named) return `no ${reference.to} has the id ${id}`;
  if (isOwnId(reference, record, id)) return 'it is its own id';
  const conditions = Object.entries(allowed(reference, record));
  const unmet = conditions.find(([name, value]) => String(named[name]) !== String(value));
  return unmet && `the ${unmet[0]} of the ${reference.to} ${id} is ${String(named[unmet[0]])}`;
}
