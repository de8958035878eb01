import { isDeepStrictEqual } from 'node:util';
import type { Connection, Model, mongo, Types } from 'mongoose';
import type { AnyModel } from './connection/any-model';
import { quirksOf } from './connection/server-quirks';
import { derivedFields } from './derived-fields';
import { optionsOf } from './field-options';
import { uniqueIndexesOf, uniqueKeys } from './indexes/unique-keys';
import { slugsFor } from './slugs/allocate-slug';
import { slugBase } from './slugs/slug-text';
import type { Slugs } from './slugs/slug.schema';
import { currentTransaction } from './transactions/context';
import { Transactions } from './transactions/transactions';

/** Records in memory at once, and the most collisions that are named. */
const BATCH = 200;
const MAX_NAMED = 10;

interface Stored extends Readonly<Record<string, unknown>>, Partial<Slugs> {
  readonly _id: Types.ObjectId;
  readonly revision: number;
}

/** Records whose keys were different in an earlier version, and are the same now. */
export class KeysCollide extends Error {}

/**
 * Computes the derived fields of all records anew, and the slugs whose base has changed, for data of an earlier version.
 * Old slugs go on finding their record. Changes nothing when keys collide.
 * @throws KeysCollide that names the records
 */
export async function renewDerived(connection: Connection): Promise<void> {
  const collisions = await keyCollisions(connection);
  if (collisions.length > 0) {
    const more = collisions.length > MAX_NAMED ? ` And ${collisions.length - MAX_NAMED} more.` : '';
    throw new KeysCollide(
      `values that must be unique are the same now. ${collisions.slice(0, MAX_NAMED).join(' ')}${more}`,
    );
  }
  for (const model of Object.values<AnyModel>(connection.models)) {
    await eachRecord(model, (record) => renew(model, record));
  }
}

/** Finds the records whose keys are the same in this version, in sentences with their ids. */
export async function keyCollisions(connection: Connection): Promise<string[]> {
  const collisions: string[] = [];
  for (const model of Object.values<AnyModel>(connection.models)) collisions.push(...(await collisionsOf(model)));
  return collisions;
}

async function collisionsOf(model: AnyModel): Promise<string[]> {
  const { schema, modelName } = model;
  const fieldOf = (key: string): string | undefined =>
    Object.keys(schema.paths).find((name) => optionsOf(schema.path(name)).keyField === key);
  const indexes = uniqueIndexesOf(schema).filter((names) => names.some(fieldOf));
  const holders = new Map<string, Types.ObjectId>();
  const collisions: string[] = [];
  await eachRecord(model, (record) => {
    const stored: Record<string, unknown> = { ...record, ...uniqueKeys(schema, record) };
    for (const names of indexes) {
      const key = JSON.stringify([names, names.map((name) => stored[name])]);
      const holder = holders.get(key);
      if (holder) {
        const field = names.map(fieldOf).find((name) => name !== undefined)!;
        collisions.push(`${modelName} ${String(holder)} and ${String(record._id)}: the same ${field}.`);
      } else if (names.every((name) => stored[name] !== undefined && stored[name] !== null))
        holders.set(key, record._id);
    }
    return Promise.resolve();
  });
  return collisions;
}

async function renew(model: AnyModel, record: Stored): Promise<void> {
  const derived = Object.entries(derivedFields(model.schema, record)).filter(
    ([name, value]) => !isDeepStrictEqual(record[name], value),
  );
  const { _id, revision, name, slug } = record;
  const hasOldSlug = slug !== undefined && typeof name === 'string' && slugBase(name, slug.base) !== slug.base;
  if (derived.length === 0 && !hasOldSlug) return;
  const set = Object.fromEntries(derived);
  // An instance that has changed the record meanwhile has computed them, too.
  const filter = { _id, revision };
  if (!hasOldSlug && Object.keys(set).every((field) => field === 'searchText')) {
    await model.collection.updateOne(filter, { $set: set });
    return;
  }
  await new Transactions(model.db).run(async () => {
    const { session } = currentTransaction()!;
    const slugs = hasOldSlug ? await slugsFor(model, record, _id) : {};
    // A slug is shown, so the record changes for its readers.
    const $set = { ...set, ...slugs, ...(hasOldSlug && { updatedAt: new Date() }) };
    const { beforeUniqueUpdate } = await quirksOf(model.db);
    await beforeUniqueUpdate?.(model, filter, $set, session);
    const update = { $set, ...(hasOldSlug && { $inc: { revision: 1 } }) } as mongo.UpdateFilter<mongo.Document>;
    await model.collection.updateOne(filter, update, { session });
  });
}

/** Works on one record after the other, without their bytes. */
async function eachRecord(model: AnyModel, work: (record: Stored) => Promise<void>): Promise<void> {
  const bytes = Object.keys(model.schema.paths).filter((path) => model.schema.path(path)?.instance === 'Buffer');
  const fields = Object.fromEntries(bytes.map((path) => [path, 0]));
  const records = (model as Model<object>).find({}, fields).schemaLevelProjections(false).lean<Stored[]>();
  for await (const record of records.cursor({ batchSize: BATCH })) await work(record);
}
