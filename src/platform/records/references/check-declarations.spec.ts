import { Mongoose, Schema } from 'mongoose';
import type { AnySchema } from '../connection/any-model';
import { atMost } from '../field-options';
import { checkDeclarations } from './check-declarations';

const ID = Schema.Types.ObjectId;

/** A schema with an index for each of its fields. */
function schemaOf(fields: Record<string, object>): AnySchema {
  const schema = new Schema(fields);
  for (const path of Object.keys(fields)) schema.index({ [path]: 1 });
  return schema as AnySchema;
}

const schemas: Record<string, AnySchema> = {
  Town: schemaOf({
    sightIds: { type: [ID], ref: 'House', onDelete: 'pull', limit: 1, among: { townId: '$_id' } },
  }),
  House: schemaOf({
    townId: { type: ID, ref: 'Town', onDelete: 'remove', limit: atMost('The Town has', 3, 'Houses') },
  }),
  Room: schemaOf({ houseId: { type: ID, ref: 'House', onDelete: 'remove', limit: 10 }, ownerId: { type: String } }),
  // What a deletion does not write needs no limit.
  Person: schemaOf({
    homeId: { type: ID, ref: 'House', onDelete: { refuse: 'forbidden' } },
    createdBy: { type: ID, ref: 'Person', onDelete: 'keep' },
    requestId: { type: ID, onDelete: 'keep' },
  }),
};

describe('the start', () => {
  const check = (change: (all: Record<string, AnySchema>) => unknown): (() => void) => {
    const all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema.clone()]));
    change(all);
    const db = new Mongoose().createConnection();
    for (const [name, schema] of Object.entries(all)) db.model(name, schema);
    return () => checkDeclarations(db);
  };
  const add =
    (options: object, name = 'Town') =>
    (all: Record<string, AnySchema>) => {
      all[name]!.add({ otherId: { type: ID, ...options } });
      all[name]!.index({ otherId: 1 });
    };

  it('accepts references that are declared', () => {
    expect(check(() => undefined)).not.toThrow();
  });

  it('asks only for the deletion of a reference that lacks it, whatever else it has', () => {
    const options = { ref: 'House', limit: 3, among: { isOpen: true }, mustBe: 'open' };
    const message = 'Town.otherId is an id: add `ref` and `onDelete` to its schema.';
    expect(check(add(options))).toThrow(new Error(message));
  });

  it.each<[string, string, (all: Record<string, AnySchema>) => unknown]>([
    ['an id without a reference', 'Town.otherId is an id', add({})],
    ['a reference without a deletion', 'Town.otherId is an id', add({ ref: 'House' })],
    ['an id with a deletion and no reference', 'Town.otherId is an id', add({ onDelete: 'remove' })],
    ['an id among others and no reference', 'Town.otherId is an id', add({ onDelete: 'keep', among: {} })],
    ['a clear of a list', 'is required or in a list', add({ ref: 'House', onDelete: 'clear', limit: 1, type: [ID] })],
    ['an id with a limit and no reference', 'Town.otherId is an id', add({ onDelete: 'keep', limit: 3 })],
    ['a reference to no Model', 'which is no Model', add({ ref: 'Street', onDelete: 'keep' })],
    ['a pull that is in no list', 'is in no list', add({ ref: 'House', onDelete: 'pull', limit: 1 })],
    ['a clear of a required id', 'is required', add({ ref: 'House', onDelete: 'clear', limit: 1, required: true })],
    [
      'a reference without a limit',
      'its id in Town.otherId: add the `limit`',
      add({ ref: 'House', onDelete: 'clear' }),
    ],
    [
      'a reference without an index',
      'Deleting one House looks for Room.otherId',
      ({ Room: room }) => room!.add({ otherId: { type: ID, ref: 'House', onDelete: 'clear', limit: 1 } }),
    ],
    [
      'a unique index without a conflict',
      'Room (houseId,ownerId) has no conflict: add `taken` to ownerId',
      ({ Room: room }) => room!.index({ houseId: 1, ownerId: 1 }, { unique: true }),
    ],
  ])('refuses %s', (_title, message, change) => {
    expect(check(change)).toThrow(message);
  });
});
