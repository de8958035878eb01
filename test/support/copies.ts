import { Types } from 'mongoose';
import { valuesAt } from '../../src/platform/records/schema/values-at';
import { referencesIn } from '../../src/platform/records/schema/references';
import { unique } from './records';
import type { Stage } from './stage';
import { sceneOf, scenes } from './scenes';

type Stored = Record<string, unknown>;

/** A list of embedded records: of which record of which Model. */
interface Embedding {
  readonly model: string;
  readonly _id: string;
  readonly list: string;
  readonly records: Stored[];
}

/** Copies the stage's record in the database until its owner has so many; the copies have unique fields of their own. */
export async function copy(stage: Stage, resource: string, count: number, fields: object = {}): Promise<void> {
  const { _id } = await stage.record(resource);
  const model = stage.service.model<Stored>(sceneOf(resource).stored);
  const $set = { revision: 0, ...fields };
  await model.updateOne({ _id }, { $set });
  const record = (await stage.service.stored<Stored>(model.modelName, _id))!;
  const paths = model.schema.indexes().flatMap(([keys, { unique }]) => (unique ? Object.keys(keys) : []));
  const copies = Array.from({ length: count - 1 }, () => {
    const texts = paths.filter((path) => !model.schema.path(path) || model.schema.path(path).instance === 'String');
    return texts.reduce<Stored>((one, path) => withUnique(one, path.split('.')), {
      ...record,
      _id: new Types.ObjectId(),
    });
  });
  await model.collection.insertMany(copies);
  // What counts the references to a record looks at this first.
  for (const { to, path } of referencesIn(model)) {
    const referred = stage.service.model(to);
    await referred.updateMany({ _id: { $in: valuesAt(record, path) } }, { $inc: { referenceCount: count } });
  }
}

/** Copies the embedded record of the stage until its owner has so many. */
export async function copyEmbedded(stage: Stage, resource: string, count: number, fields = {}): Promise<void> {
  await stage.record(resource);
  const { model, _id, list, records } = await embeddedIn(stage, resource);
  const $each = Array.from({ length: count - records.length }, () => ({
    ...records[0],
    ...fields,
    _id: new Types.ObjectId(),
  }));
  await stage.service.model(model).updateOne({ _id }, { $push: { [list]: { $each } } });
}

/** The records of a resource that is embedded in another one of the stage. */
export async function embeddedIn(stage: Stage, resource: string): Promise<Embedding> {
  const [model = '', list = ''] = sceneOf(resource).stored.split('.');
  const [owner = ''] = [...scenes.keys()].filter((name) => sceneOf(name).stored === model);
  const { _id } = await stage.record(owner);
  return { model, _id, list, records: (await stage.service.stored<Record<string, Stored[]>>(model, _id))![list]! };
}

/** A record with another text at a path, also in the items of a list. */
function withUnique(record: Stored, [name = '', ...rest]: string[]): Stored {
  const value = record[name];
  if (rest.length === 0) return value === null ? record : { ...record, [name]: unique() };
  const items = Array.isArray(value)
    ? value.map((item: Stored) => withUnique(item, rest))
    : withUnique(value as Stored, rest);
  return { ...record, [name]: items };
}
