import { Types } from 'mongoose';
import type { AnySchema } from '../../platform/records/connection/any-model';
import { valuesAt } from '../../platform/records/reads/values-at';
import { broken, byId, Check, Problem, Stored, visibleRepair } from './finding';

/** A path with a `ref` in the schema: its ids belong to records of another Model. */
interface Reference {
  /** `managers._id` */
  readonly path: string;
  /** `User` */
  readonly model: string;
  /** The list that has the ids or the embedded records; none for a single id. */
  readonly list?: string;
  /** Is set where a record must have one. */
  readonly isRequired: boolean;
}

/** Checks the ids that a schema declares with `ref`: each belongs to a record, and a list has each once. */
export function referenceChecks(schema: AnySchema): Check[] {
  return referencesOf(schema).map((reference) => async (records, connection) => {
    const { path, model } = reference;
    const idsOf = (record: Stored): unknown[] => valuesAt(record, path).filter((id) => id !== null && id !== undefined);
    const known = await byId(connection, model, records.flatMap(idsOf));
    return (record) => {
      const texts = idsOf(record).map(String);
      const gone = idsOf(record).filter((id) => !known.has(String(id)));
      const repeated = texts.filter((id, index) => texts.indexOf(id) !== index);
      return [
        ...gone.map((id) => ({
          problem: `${path}: no ${model} has the id ${String(id)}`,
          repair: repairOf(reference, id),
        })),
        ...repeated.map((id) => broken(`${path} has the id ${id} twice`)),
      ];
    };
  });
}

function referencesOf(schema: AnySchema, prefix = '', list?: string): Reference[] {
  const references: Reference[] = [];
  schema.eachPath((name, type) => {
    const path = `${prefix}${name}`;
    const item = type.getEmbeddedSchemaType();
    const embedded = type.schema ?? item?.schema;
    const inList = list ?? (type.instance === 'Array' ? path : undefined);
    if (embedded) return void references.push(...referencesOf(embedded, `${path}.`, inList));
    const { ref } = { ...item?.options, ...type.options } as { ref?: string };
    if (ref) references.push({ path, model: ref, list: inList, isRequired: Boolean(type.isRequired) });
  });
  return references;
}

/** Removes an id that a record can do without. */
function repairOf({ path, list, isRequired }: Reference, id: unknown): Problem['repair'] {
  if (!(id instanceof Types.ObjectId) || (isRequired && !list)) return undefined;
  const what = `remove ${String(id)} from ${list ?? path}`;
  if (!list) return visibleRepair(what, { $set: { [path]: null } });
  return visibleRepair(what, { $pull: { [list]: path === list ? id : { [path.slice(list.length + 1)]: id } } });
}
