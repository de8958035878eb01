import { type Connection, Mongoose, Schema } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { atMost } from '../field-options';
import { goesToo, referencesIn, referencesTo, removedWith } from './references';

const ID = Schema.Types.ObjectId;

/** The Models of schemas, by their names, of a database that nobody connects to. */
function modelsOf(all: Record<string, Record<string, object>>): Connection {
  const db = new Mongoose().createConnection();
  for (const [name, fields] of Object.entries(all)) db.model(name, new Schema(fields, { id: false }));
  return db;
}

describe('the references of a Model', () => {
  const limits = [{ ...atMost('It has', 2, 'open ones'), where: { isOpen: true } }, atMost('It has', 3, 'Places')];
  const db = modelsOf({
    Place: {
      name: { type: String },
      requestId: { type: ID, onDelete: 'keep' },
      townId: { type: ID, ref: 'Town', required: true, onDelete: 'remove', limit: limits, among: { isOpen: true } },
      sightIds: { type: [{ type: ID, ref: 'Sight' }], onDelete: 'pull', limit: 5, mustBe: 'open' },
      guests: [new Schema({ _id: { type: ID, ref: 'Person', onDelete: 'pull', limit: limits[0] } })],
      address: new Schema({ streetId: { type: ID, ref: 'Street' } }, { _id: false }),
    },
    Sight: { placeId: { type: ID, ref: 'Place', onDelete: 'clear' } },
  });
  const references = () => referencesIn(db.model('Place') as AnyModel);

  it('are its ids with a `ref`, those in lists and embedded records too', () => {
    const found = references().map(({ from, path, to, list }) => ({ from, path, to, list }));
    expect(found).toEqual([
      { from: 'Place', path: 'townId', to: 'Town', list: undefined },
      { from: 'Place', path: 'sightIds', to: 'Sight', list: 'sightIds' },
      { from: 'Place', path: 'guests._id', to: 'Person', list: 'guests' },
      { from: 'Place', path: 'address.streetId', to: 'Street', list: undefined },
    ]);
    expect(referencesTo(db, 'Place')).toMatchObject([{ from: 'Sight', path: 'placeId', to: 'Place' }]);
  });

  it('have the options of their fields, and stay if these say nothing', () => {
    const found = references().map(({ isRequired, onDelete, among, mustBe }) => ({
      isRequired,
      onDelete,
      among,
      mustBe,
    }));
    expect(found).toEqual([
      { isRequired: true, onDelete: 'remove', among: { isOpen: true }, mustBe: undefined },
      { isRequired: false, onDelete: 'pull', among: {}, mustBe: 'open' },
      { isRequired: false, onDelete: 'pull', among: {}, mustBe: undefined },
      { isRequired: false, onDelete: 'keep', among: {}, mustBe: undefined },
    ]);
  });

  it('have at most as many records as the limit of all allows; one of some bounds nothing', () => {
    expect(references().map((reference) => [reference.limits, reference.most])).toEqual([
      [limits, 3],
      [[], 5],
      [[limits[0]], undefined],
      [[], undefined],
    ]);
  });
});

test.each([
  ['remove', {}],
  ['removeWithEvent', {}],
  [{ remove: { isOpen: true } }, { isOpen: true }],
  [{ refuse: 'forbidden' }, undefined],
  ['pull', undefined],
] as const)('A deletion with %j takes along the records of %j', (onDelete, filter) => {
  expect(removedWith({ onDelete } as Parameters<typeof removedWith>[0])).toEqual(filter);
});

describe('a reference goes with what it is to', () => {
  /** @param townOfLease of the Town of a Lease */
  const goes = (from: string, path: string, by?: string, townOfLease: object = {}): boolean => {
    const town = { type: ID, ref: 'Town', onDelete: 'remove' };
    const db = modelsOf({
      Town: { sightIds: { type: [ID], ref: 'House', onDelete: 'pull', among: { townId: '$_id' } } },
      House: { townId: town },
      Lease: {
        startedBy: { type: ID, ref: 'Person', onDelete: 'clear' },
        areaId: { ...town, ...townOfLease },
        houseId: { type: ID, ref: 'House', onDelete: 'clear', among: { townId: '$areaId' } },
      },
      Person: { houseId: { type: ID, ref: 'House', onDelete: 'clear', among: { townId: '$_id' } } },
      Room: { houseId: { type: ID, ref: 'House', onDelete: 'remove' } },
    });
    const reference = (model: string, field: string) =>
      referencesIn(db.model(model) as AnyModel).find((each) => each.path === field)!;
    return goesToo(db, reference(from, path), by === undefined ? undefined : reference(by, 'townId'));
  };

  it('where the record that has it is the one that takes both along', () => {
    expect(goes('Town', 'sightIds', 'House')).toBe(true);
    expect(goes('Person', 'houseId', 'House')).toBe(false);
  });

  it('where the record that has it is deleted because of the same one', () => {
    expect(goes('Lease', 'houseId', 'House')).toBe(true);
    expect(goes('Lease', 'houseId', 'House', { onDelete: 'removeWithEvent' })).toBe(true);
    expect(goes('Lease', 'houseId', 'House', { onDelete: { remove: { isOpen: true } } })).toBe(false);
    expect(goes('Lease', 'houseId', 'House', { onDelete: 'clear' })).toBe(false);
    expect(goes('Lease', 'houseId', 'House', { ref: 'Person' })).toBe(false);
  });

  it('not where nothing says so, or nothing else is deleted', () => {
    expect(goes('Room', 'houseId', 'House')).toBe(false);
    expect(goes('Town', 'sightIds')).toBe(false);
  });
});
