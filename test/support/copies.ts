import { Types } from 'mongoose';
import { referencesIn } from '../../src/platform/records/schema/references';
import { unique } from './records';
import { scenes } from './scenes';
import { Stage } from './stage';

type Stored = Record<string, unknown>;

/** Stores copies of a record of a Model until so many have these fields, by path. They refer to nothing else that exists. */
export async function storeCopies({ service }: Stage, name: string, fields: Stored, count: number): Promise<void> {
  const model = service.model<Stored>(name);
  await (await Stage.of(service)).record(resourceOf(name));
  const record = await model.collection.findOne({}, { sort: { _id: -1 } });
  const isText = (path: string): boolean => (model.schema.path(path)?.instance ?? 'String') === 'String';
  const texts = model.schema.indexes().flatMap(([keys, { unique }]) => (unique ? Object.keys(keys) : []));
  const id = (): Types.ObjectId => new Types.ObjectId();
  const changes: Record<string, (value: unknown) => unknown> = {
    ...Object.fromEntries(texts.filter(isText).map((path) => [path, (value: unknown) => value && unique()])),
    ...Object.fromEntries(['_id', ...referencesIn(model).map(({ path }) => path)].map((path) => [path, id])),
    ...Object.fromEntries(Object.entries(fields).map(([path, value]) => [path, () => value])),
  };
  const copy = (): Stored =>
    Object.entries(changes).reduce<Stored>(
      (changed, [path, change]) => withChange(changed, path.split('.'), change) as Stored,
      record!,
    );
  const length = count - (await model.countDocuments(fields));
  await model.collection.insertMany(Array.from({ length }, copy));
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

/** The records of a resource that is embedded in another one of the stage: of which record of which Model. */
export async function embeddedIn(
  stage: Stage,
  resource: string,
): Promise<Record<'model' | '_id' | 'list', string> & { records: Stored[] }> {
  const [model = '', list = ''] = scenes.get(resource)!.stored.split('.');
  const { _id } = await stage.record(resourceOf(model));
  const records = (await stage.service.stored<Record<string, Stored[]>>(model, _id))![list]!;
  return { model, _id, list, records };
}

/** The resource that is stored in a Model. */
const resourceOf = (model: string): string => [...scenes].find(([, { stored }]) => stored === model)![0];

/** A value with a change at a path, in every item of a list. */
function withChange(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withChange(item, path, change));
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  return { ...(value as Stored), [name]: withChange((value as Stored)[name], rest, change) };
}
