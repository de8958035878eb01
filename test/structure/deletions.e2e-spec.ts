import { randomBytes } from 'node:crypto';
import { type Model, type Schema, type SchemaType, Types } from 'mongoose';
import { apiErrors, type ErrorName } from '../../src/errors/api-error';
import { useService } from '../support/service';
import { type Field, fieldsOf } from './schemas';

/**
 * Finds what a deletion leaves behind, for every Model there is: those that a `ref` in a schema names own the records that
 * refer to them. A new resource needs no change here.
 */

/** Models whose records cannot be deleted while another record refers to them, with the error. */
const REFUSED: Readonly<Record<string, ErrorName>> = { File: 'fileInUse' };

/** Fields that keep the id of a User who has been deleted (contract §3). */
const KEPT: ReadonlySet<string> = new Set(['createdBy']);

/** The Model that tells what happened, also to records that are gone (contract §3 Event). */
const HISTORY = 'Event';

const service = useService();

/** Ids of one record of each Model, by the Model's name. */
type Ids = Readonly<Record<string, Types.ObjectId>>;

const models = (): Model<object>[] =>
  (Object.values(service.connection.models) as Model<object>[]).filter(({ modelName }) => modelName !== HISTORY);

/** Inserts a record of each Model. All their references lead to one another. */
async function createRecords(): Promise<Ids> {
  const withIds = models().filter(({ schema }) => schema.path('_id').instance === 'ObjectId');
  const ids = Object.fromEntries(withIds.map(({ modelName }) => [modelName, new Types.ObjectId()]));
  for (const model of withIds) {
    await model.create([{ ...minimalRecord(model.schema as Schema, ids), _id: ids[model.modelName] }]);
  }
  return ids;
}

/** The required fields of a schema, and every reference. */
function minimalRecord(schema: Schema, ids: Ids): Record<string, unknown> {
  const needed = fieldsOf(schema).filter((field) => field.type.isRequired || refersTo(field) !== undefined);
  return Object.fromEntries(needed.map((field) => [field.name, valueOf(field, ids)]));
}

/** The Models that a field or the embedded records in it refer to; undefined for none. */
function refersTo({ ref, embedded }: Field): string[] | undefined {
  const refs = embedded ? fieldsOf(embedded).flatMap((field) => refersTo(field) ?? []) : [ref ?? []].flat();
  return refs.length > 0 ? refs : undefined;
}

function valueOf({ type, embedded, ref, name }: Field, ids: Ids): unknown {
  const isList = type.instance === 'Array';
  if (embedded && !isList) return minimalRecord(embedded, ids);
  // Two: the last manager of an Organization could not be deleted.
  if (embedded) return [minimalRecord(embedded, ids), minimalRecord(embedded, others(ids))];
  if (ref) return isList ? [ids[ref]] : ids[ref];
  return isList ? [] : scalarOf(type, name);
}

function others(ids: Ids): Ids {
  return Object.fromEntries(Object.keys(ids).map((name) => [name, new Types.ObjectId()]));
}

function scalarOf({ instance, options }: SchemaType, name: string): unknown {
  const { enum: values, min } = options as { enum?: readonly unknown[]; min?: number };
  if (values) return values[0];
  switch (instance) {
    case 'ObjectId':
      return new Types.ObjectId();
    case 'Number':
      return min ?? 1;
    case 'Date':
      return new Date();
    case 'Boolean':
      return false;
    case 'Buffer':
      return Buffer.from(name);
    default:
      return `${name}-${randomBytes(6).toString('hex')}`;
  }
}

/** Places in the database that have an id, as text: `organizations.managers.0._id`. */
async function placesOf(id: Types.ObjectId): Promise<string[]> {
  const collections = await service.connection.db!.collections();
  const places: string[] = [];
  for (const collection of collections.filter(({ collectionName }) => collectionName !== 'events')) {
    for await (const record of collection.find()) places.push(...placesIn(record, id, collection.collectionName));
  }
  return [...new Set(places)];
}

function placesIn(value: unknown, id: Types.ObjectId, path: string): string[] {
  if (value instanceof Types.ObjectId) return value.equals(id) ? [path] : [];
  if (typeof value === 'string') return value.includes(id.toHexString()) ? [path] : [];
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    KEPT.has(name) ? [] : placesIn(inner, id, `${path}.${name}`),
  );
}

/** The Models whose record is gone: the one that was deleted, and what was deleted with it. */
async function deletedFrom(ids: Ids): Promise<string[]> {
  const gone: string[] = [];
  for (const [name, _id] of Object.entries(ids)) {
    if (!(await service.model(name).exists({ _id }))) gone.push(name);
  }
  return gone;
}

/** Every reference of every Model: the Model, the path, and the Model that it refers to. */
function references(schema: Schema, path: string): { path: string; field: Field }[] {
  return fieldsOf(schema).flatMap((field) => {
    const inner = `${path}.${field.name}`;
    return field.embedded ? references(field.embedded, inner) : [{ path: inner, field }];
  });
}

const allReferences = (): { path: string; field: Field }[] =>
  models().flatMap(({ modelName, schema }) => references(schema as Schema, modelName));

const owners = (): string[] => [...new Set(allReferences().flatMap(({ field }) => field.ref ?? []))].sort();

describe('the references between records', () => {
  it('are declared by `ref`', () => {
    const isId = ({ type }: Field): boolean => (type.getEmbeddedSchemaType() ?? type).instance === 'ObjectId';
    const undeclared = allReferences().filter(
      ({ field }) => isId(field) && !field.ref && field.name !== '_id' && !KEPT.has(field.name),
    );
    expect(undeclared.map(({ path }) => `${path} is an id without a ref: add ref: '…'.`)).toEqual([]);
  });

  it('lead to Models', () => {
    const names = models().map(({ modelName }) => modelName);
    expect(names).toEqual(expect.arrayContaining(owners()));
    expect(owners()).toEqual(expect.arrayContaining(['Api', 'File', 'Organization', 'User']));
  });
});

describe('a deletion', () => {
  it('leaves no reference to what it deletes, whichever Model it is of', async () => {
    const left: string[] = [];
    for (const owner of owners().filter((name) => !(name in REFUSED))) {
      const ids = await createRecords();
      const path = `/${service.model(owner).collection.collectionName}/${String(ids[owner])}`;
      const response = await service.admin.delete(path);
      expect([path, response.status, response.text]).toEqual([path, 204, '']);
      for (const deleted of await deletedFrom(ids)) {
        const places = await placesOf(ids[deleted]!);
        left.push(
          ...places.map((place) => `${place} has the id of a deleted ${deleted}: add an @OnDelete(${deleted}).`),
        );
      }
    }
    expect(left).toEqual([]);
  });

  it.each(Object.entries(REFUSED))('of a %s is refused while another record refers to it', async (owner, error) => {
    const id = (await createRecords())[owner]!;
    const collection = service.model(owner).collection.collectionName;
    const before = await placesOf(id);
    expect(before).toContain(`${collection}._id`);
    expect(before.length).toBeGreaterThan(1);
    const { status, code } = apiErrors[error];
    const response = await service.admin.delete(`/${collection}/${String(id)}`);
    expect(response).toMatchObject({ status, body: { code } });
    expect(await placesOf(id)).toEqual(before);
  });
});
