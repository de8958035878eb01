import { type Connection, Mongoose, Schema } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { referencesIn, referencesTo } from './references';

const ID = Schema.Types.ObjectId;

/** The Models of schemas, by their names, of a database that nobody connects to. */
function modelsOf(all: Record<string, Record<string, object>>): Connection {
  const db = new Mongoose().createConnection();
  for (const [name, fields] of Object.entries(all)) db.model(name, new Schema(fields, { id: false }));
  return db;
}

describe('the references of a Model', () => {
  const db = modelsOf({
    Place: {
      name: { type: String },
      requestId: { type: ID, onDelete: 'keep' },
      townId: { type: ID, ref: 'Town', required: true, onDelete: 'remove', among: { isOpen: true } },
      sightIds: { type: [{ type: ID, ref: 'Sight' }], onDelete: 'pull', mustBe: 'open' },
      guests: [new Schema({ _id: { type: ID, ref: 'Person', onDelete: 'pull' } })],
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
});
