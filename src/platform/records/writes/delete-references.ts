import type { Connection, Types } from 'mongoose';
import { apiError } from '../../base/errors/api-error';
import { type Reference, referencesTo, removedWith } from '../schema/references';
import type { RecordsOf } from './records-of';

interface Deleted {
  readonly _id: Types.ObjectId;
}

/** Records of one Model that are gone. */
interface Gone {
  readonly model: string;
  readonly records: readonly Deleted[];
}

/**
 * Does what the references to a deleted record say, through all levels: first deletes, then removes ids from the
 * records that stay, then looks for those that refuse it. Records deleted this way leave no Events, unless their
 * reference says so; those that lose an id do (contract §3 Event).
 * @throws ApiError the error of a reference that refuses the deletion, or of a removal rule
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
    for (const reference of referencesTo(db, gone.model))
      all.push(...(await removeReferring(db, recordsOf, reference, gone)));
  }
  for (const gone of all) {
    for (const reference of referencesTo(db, gone.model)) await releaseReferring(recordsOf, reference, gone);
  }
  for (const gone of all) {
    for (const { from, path, onDelete } of referencesTo(db, gone.model)) {
      if (typeof onDelete !== 'object' || !('refuse' in onDelete)) continue;
      if (await recordsOf(from).exists({ [path]: anyOf(gone.records) })) throw apiError(onDelete.refuse);
    }
  }
}

async function removeReferring(
  db: Connection,
  recordsOf: RecordsOf,
  reference: Reference,
  { records }: Gone,
): Promise<Gone[]> {
  const where = removedWith(reference);
  if (!where) return [];
  const referring = recordsOf(reference.from);
  const filter = { [reference.path]: anyOf(records), ...where };
  const next = { model: reference.from };
  if (reference.onDelete === 'removeWithEvent') {
    const removed = await referring.removeWithEvents(filter);
    return removed.length > 0 ? [{ ...next, records: removed }] : [];
  }
  const hasRules = referring.removalRules.length > 0;
  if (!hasRules && referencesTo(db, next.model).every(({ onDelete }) => onDelete === 'keep')) {
    await referring.removeAll(filter);
    return [];
  }
  const found = await referring.find<Deleted>(filter, hasRules ? undefined : { only: ['_id'] });
  if (found.length === 0) return [];
  await referring.removeAll({ _id: anyOf(found) });
  return [{ ...next, records: found }];
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
