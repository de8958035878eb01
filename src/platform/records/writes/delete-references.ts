import type { Connection, Types } from 'mongoose';
import { type Reference, referencesTo } from '../schema/references';
import type { RecordsOf } from './records-of';

interface Deleted {
  readonly _id: Types.ObjectId;
}

/** Deleted records of one Model. */
interface Gone {
  readonly model: string;
  readonly records: readonly Deleted[];
}

/**
 * Does what the references to a deleted record say, through all levels: first deletes, then removes ids from the
 * records that stay. Records deleted this way leave no Events, unless their reference says so; those that lose an id do
 * (contract §3 Event).
 * @throws what a removal rule throws
 */
export async function deleteReferences(
  db: Connection,
  recordsOf: RecordsOf,
  model: string,
  record: Deleted,
): Promise<void> {
  const all: Gone[] = [{ model, records: [record] }];
  // It grows while it is read: what one deletes comes next.
  for (const gone of all) {
    for (const rule of recordsOf(gone.model).removalRules) for (const each of gone.records) await rule(each as never);
    for (const reference of referencesTo(db, gone.model)) {
      const records = await removeReferring(recordsOf, reference, gone);
      if (records.length > 0) all.push({ model: reference.from, records });
    }
  }
  for (const gone of all) {
    for (const reference of referencesTo(db, gone.model)) await releaseReferring(recordsOf, reference, gone);
  }
}

async function removeReferring(
  recordsOf: RecordsOf,
  { from, path, onDelete }: Reference,
  { records }: Gone,
): Promise<readonly Deleted[]> {
  const referring = recordsOf(from);
  const filter = { [path]: anyOf(records) };
  if (onDelete === 'removeWithEvent') return referring.removeWithEvents(filter);
  if (onDelete !== 'remove') return [];
  const hasRules = referring.removalRules.length > 0;
  const found = await referring.find<Deleted>(filter, hasRules ? undefined : { only: ['_id'] });
  if (found.length > 0) await referring.removeAll({ _id: anyOf(found) });
  return found;
}

async function releaseReferring(recordsOf: RecordsOf, reference: Reference, { records }: Gone): Promise<void> {
  const { from, path, list = path, onDelete } = reference;
  if (onDelete !== 'pull' && onDelete !== 'clear') return;
  const ids = anyOf(records);
  const item = list === path ? ids : { [path.slice(list.length + 1)]: ids };
  const change = onDelete === 'pull' ? { $pull: { [list]: item } } : { $set: { [path]: null } };
  await recordsOf(from).updateAll({ [path]: ids }, change);
}

/** One id is compared alone: the embedded database reads an index of a list for one. */
function anyOf(records: readonly Deleted[]): object {
  const [first, ...others] = records.map(({ _id }) => _id);
  return others.length === 0 ? first! : { $in: [first!, ...others] };
}
