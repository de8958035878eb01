import type { AnyModel } from '../driver/any-model';
import type { RecordAtRevision } from '../schema/record.schema';
import { type Reference, referencesTo } from '../schema/references';
import type { RecordsByModel, ReferenceRecords } from './records-by-model';

type Deleted = Pick<RecordAtRevision, '_id'>;

/** Deleted records of one Model. */
interface DeletedOfModel {
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
  records: RecordsByModel,
  { modelName, db }: AnyModel,
  record: Deleted,
): Promise<void> {
  const all: DeletedOfModel[] = [{ model: modelName, records: [record] }];
  // It grows while it is read: what one deletes comes next.
  for (const deleted of all) {
    for (const rule of records.of(deleted.model).removalRules)
      for (const each of deleted.records) await rule(each as never);
    for (const reference of referencesTo(db, deleted.model)) {
      const removed = await removeReferring(records.of(reference.from), reference, deleted);
      if (removed.length > 0) all.push({ model: reference.from, records: removed });
    }
  }
  for (const deleted of all) {
    for (const reference of referencesTo(db, deleted.model))
      await releaseReferring(records.of(reference.from), reference, deleted);
  }
}

async function removeReferring(
  referring: ReferenceRecords,
  { path, onDelete }: Reference,
  { records }: DeletedOfModel,
): Promise<readonly Deleted[]> {
  const filter = { [path]: anyOf(records) };
  if (onDelete === 'removeWithEvent') return referring.removeWithEvents(filter);
  if (onDelete !== 'remove') return [];
  const hasRules = referring.removalRules.length > 0;
  const found = await referring.find<Deleted>(filter, hasRules ? undefined : { only: ['_id'] });
  if (found.length > 0) await referring.removeAll({ _id: anyOf(found) });
  return found;
}

async function releaseReferring(
  referring: ReferenceRecords,
  reference: Reference,
  { records }: DeletedOfModel,
): Promise<void> {
  const { path, list = path, onDelete } = reference;
  if (onDelete !== 'pull' && onDelete !== 'clear') return;
  const ids = anyOf(records);
  const item = list === path ? ids : { [path.slice(list.length + 1)]: ids };
  const change = onDelete === 'pull' ? { $pull: { [list]: item } } : { $set: { [path]: null } };
  await referring.updateAll({ [path]: ids }, change);
}

/** One id is compared alone: the embedded database reads an index of a list for one. */
function anyOf(records: readonly Deleted[]): object {
  const [first, ...others] = records.map(({ _id }) => _id);
  return others.length === 0 ? first! : { $in: [first!, ...others] };
}
