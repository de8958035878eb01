import { Schema, Types } from 'mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { type ApiError, apiErrors, defineErrors, type ErrorName } from '../../base/errors/api-error';
import type { AnyModel, AnySchema } from '../driver/any-model';
import { assertUnique } from '../writes/assert-unique';
import { setsUniqueField, uniqueKeyOf, uniqueKeys } from './unique-keys';

const holderAt = { codeTaken: { status: 409, code: 1599, message: 'It has this code.', holderAt: '/things' } };
defineErrors({ ...apiErrors, ...holderAt });

const ID = Schema.Types.ObjectId;
const schema = new Schema<object>({
  name: { type: String, keyField: 'nameKey', taken: 'tooMany' },
  nameKey: String,
  // In the order of the fields, the first of these is the conflict.
  code: { type: String, keyField: 'code', taken: 'codeTaken' as ErrorName },
  alias: { type: String, keyField: 'aliasKey', makeKey: (text: string) => `${text}!` },
  aliasKey: String,
  townId: { type: ID, taken: 'forbidden' },
  note: String,
}) as AnySchema;
schema.index({ townId: 1, note: 1 }, { unique: true });
schema.index({ code: 1 }, { unique: true });
schema.index({ code: 1, nameKey: 1 }, { unique: true });
schema.index({ aliasKey: 1 });

describe('the unique key', () => {
  it('is made of a text by what its field says, and none where the field has no key', () => {
    expect(uniqueKeyOf(schema, 'name', ' Ann')).toEqual({ field: 'nameKey', key: 'ann' });
    expect(uniqueKeyOf(schema, 'alias', 'Ann')).toEqual({ field: 'aliasKey', key: 'Ann!' });
    expect(uniqueKeyOf(schema, 'code', ' Ann')).toEqual({ field: 'code', key: ' Ann' });
    for (const name of ['note', 'townId', 'unknown']) expect(uniqueKeyOf(schema, name, 'Ann')).toBeUndefined();
    expect(uniqueKeyOf(schema, 'name', null)).toBeUndefined();
  });

  it('is stored for each field of a record that has one', () => {
    const record = { name: 'A', alias: 'B', code: null, townId: new Types.ObjectId(), note: 'c' };
    expect(uniqueKeys(schema, record)).toEqual({ nameKey: 'a', aliasKey: 'B!' });
  });

  it('may change with an update that sets one of its fields, also to null', () => {
    const sets = [{ code: null }, { note: 'a', name: 'b' }, { townId: null }, { note: 'a', nameKey: 'b' }, {}];
    expect(sets.map((set) => setsUniqueField(schema, set))).toEqual([true, true, true, false, false]);
  });
});

describe('a record with what another one has in a unique index', () => {
  const model = useModel(useConnection('unique-keys'), schema) as AnyModel;
  const townId = new Types.ObjectId();
  const held = { _id: new Types.ObjectId(), nameKey: 'a', code: 'C', townId, note: 'n' };
  beforeEach(() => model.collection.insertOne({ ...held }));

  it('is refused with the conflict of its field, and where the holder is if the caller may know', async () => {
    const refused: object[] = [{ code: 'C' }, { townId, note: 'n' }];
    const thrown = await Promise.all(refused.map((one) => assertUnique(model, one).catch((error: unknown) => error)));
    expect(thrown).toMatchObject([{ errorName: 'codeTaken' }, { errorName: 'forbidden' }]);
    expect(thrown.map((error) => (error as ApiError).headers)).toEqual([
      { location: `/things/${String(held._id)}` },
      {},
    ]);
  });

  it.each<[string, object]>([
    ['has part of it', { townId, note: 'm', name: 'b', code: 'c' }],
    ['is that record', { ...held, name: 'A' }],
    ['has none', { _id: new Types.ObjectId(), code: null, townId: null, note: 'n' }],
  ])('is accepted where it %s', async (_title, record) => {
    await model.collection.insertOne({ code: null, townId: null, note: 'n' });
    await expect(assertUnique(model, record)).resolves.toBeUndefined();
  });
});
