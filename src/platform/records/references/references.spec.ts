import { setImmediate } from 'node:timers/promises';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { useConnection } from '../../../../test/support/connection';
import type { AnyModel, AnySchema } from '../connection/any-model';
import { atMost } from '../field-options';
import { collection, StoredRecord } from '../record.schema';
import { type Records, recordsOf } from '../records';
import { LostRace } from '../transactions/lost-race';
import { Transactions } from '../transactions/transactions';

const ID = SchemaTypes.ObjectId;
type Id = Types.ObjectId;

@Schema(collection('towns'))
class Town extends StoredRecord {
  @Prop({ type: [ID], default: [], ref: 'House', onDelete: 'pull', limit: 1, among: { townId: '$_id' } })
  sightIds!: Id[];
}

@Schema(collection('houses'))
class House extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'Town', onDelete: 'remove', limit: atMost('The Town has', 3, 'Houses') })
  townId!: Id;
  @Prop({ type: Boolean, default: false }) isOpen!: boolean;
}

@Schema({ _id: false })
class Guest {
  @Prop({ type: ID, required: true, ref: 'Person', onDelete: 'pull', limit: 5 }) _id!: Id;
}

@Schema(collection('rooms'))
class Room extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'House', onDelete: 'remove', limit: 10 }) houseId!: Id;
  @Prop({ type: [SchemaFactory.createForClass(Guest)], default: [], embeds: 'Guest' }) guests!: Guest[];
  @Prop({ type: ID, default: null, ref: 'Person', onDelete: 'clear', limit: 5 }) ownerId!: Id | null;
}

@Schema(collection('persons'))
class Person extends StoredRecord {
  @Prop({
    type: ID,
    required: true,
    ref: 'House',
    onDelete: { refuse: 'forbidden' },
    among: { isOpen: true },
    mustBe: 'an open House',
  })
  homeId!: Id;
  @Prop({ type: ID, default: null, ref: 'Person', onDelete: 'keep' }) createdBy!: Id | null;
}

@Schema(collection('leases'))
class Lease extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'House', onDelete: 'removeWithEvent', limit: 10 }) houseId!: Id;
}

const schemas: Record<string, AnySchema> = {};
for (const [name, type, ids] of [
  ['Town', Town, ['sightIds']],
  ['House', House, ['townId']],
  ['Room', Room, ['houseId', 'guests._id', 'ownerId']],
  ['Person', Person, ['homeId']],
  ['Lease', Lease, ['houseId']],
] as const) {
  schemas[name] = SchemaFactory.createForClass(type as never);
  for (const path of ids) schemas[name].index({ [path]: 1 });
}

const connection = useConnection('references');
for (const [name, schema] of Object.entries(schemas)) connection.model(name, schema);
const of = <R extends StoredRecord>(model: string): Records<R> => recordsOf(connection.model(model) as AnyModel);
const [towns, houses, rooms, persons] = [of<Town>('Town'), of<House>('House'), of<Room>('Room'), of<Person>('Person')];
const leases = of<Lease>('Lease');
let transactions: Transactions;
beforeAll(async () => {
  transactions = new Transactions(connection);
  for (const model of Object.values(connection.models)) await model.createCollection();
});
beforeEach(async () => {
  for (const model of Object.values(connection.models)) await model.deleteMany();
});

afterEach(() => jest.restoreAllMocks());

const run = <T>(work: () => Promise<T>): Promise<T> => transactions.run(work);
const insert = <R extends StoredRecord>(all: Records<R>, own: object, body: object = {}): Promise<R> =>
  run(() => all.insert(body, own));
const count = (model: string): Promise<number> => connection.model(model).countDocuments();

describe('a record that is deleted', () => {
  it('takes those of all levels along that are deleted with it, without Events of theirs', async () => {
    const town = await insert(towns, {});
    for (let number = 0; number < 2; number += 1) {
      const { _id: houseId } = await insert(houses, { townId: town._id });
      await insert(rooms, { houseId });
    }
    const other = await insert(houses, { townId: (await insert(towns, {}))._id });
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => towns.remove(town));
    expect([await count('House'), await count('Room')]).toEqual([1, 0]);
    expect(await houses.get(other._id)).toBeDefined();
    expect(beforeCommit.mock.calls[0]![0].map(({ kind, model }) => `${kind} ${model}`)).toEqual(['deleted Town']);
  });

  it('takes along those that are deleted with an Event, on any level, each with one of its own', async () => {
    const { _id: townId } = await insert(towns, {});
    const [house, other] = [await insert(houses, { townId }), await insert(houses, { townId })];
    await insert(leases, { houseId: house._id });
    const left = await insert(leases, { houseId: other._id });
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => houses.remove(house));
    expect(await count('Lease')).toBe(1);
    await run(async () => towns.remove((await towns.get(townId))!));
    expect(await leases.get(left._id)).toBeUndefined();
    const events = beforeCommit.mock.calls.map(([all]) => all.map(({ kind, model }) => `${kind} ${model}`));
    expect(events).toEqual([
      ['deleted House', 'deleted Lease'],
      ['deleted Town', 'deleted Lease'],
    ]);
  });

  it('leaves the lists and the fields that name it, with the Events of these changes', async () => {
    const town = await insert(towns, {});
    const house = await insert(houses, { townId: town._id, isOpen: true });
    const person = await insert(persons, { homeId: house._id });
    const guests = [{ _id: person._id }, { _id: (await insert(persons, { homeId: house._id }))._id }];
    const { _id } = await insert(rooms, { houseId: house._id, ownerId: person._id, guests });
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => persons.remove(person));
    expect(await rooms.get(_id)).toMatchObject({ guests: [guests[1]], ownerId: null, revision: 2 });
    const events = beforeCommit.mock.calls[0]![0].map(({ kind, model }) => `${kind} ${model}`);
    expect(events).toEqual(['deleted Person', 'updated Room', 'deleted Guest']);
  });

  it('stays, with all that it would take along, where a reference on any level refuses it', async () => {
    const town = await insert(towns, {});
    const house = await insert(houses, { townId: town._id, isOpen: true });
    await insert(persons, { homeId: house._id });
    await expect(run(() => towns.remove(town))).rejects.toMatchObject({ errorName: 'forbidden' });
    expect([await count('Town'), await count('House')]).toEqual([1, 1]);
  });

  it('stays where a rule of the product refuses it, which sees the references as they were', async () => {
    const house = await insert(houses, { townId: (await insert(towns, {}))._id, isOpen: true });
    const person = await insert(persons, { homeId: house._id });
    await insert(rooms, { houseId: house._id, ownerId: person._id });
    const rule = jest.fn(async () => {
      if (await rooms.exists({ ownerId: person._id })) throw new Error('owns a room');
    });
    persons.beforeRemoval(rule);
    await expect(run(() => persons.remove(person))).rejects.toThrow('owns a room');
    rule.mockResolvedValue(undefined);
    await run(() => persons.remove(person));
  });
});

describe('a reference', () => {
  const namesNothing = (title: string, more: object = {}) => ({ fieldErrors: [{ code: 5012, title, ...more }] });

  it('of a body to a record that is gone or may not be named is a field error', async () => {
    const town = await insert(towns, {});
    const own = await insert(houses, { townId: town._id });
    const foreign = await insert(houses, { townId: (await insert(towns, {}))._id });
    const change = (sightIds: unknown[]) =>
      run(async () => towns.update(town, await towns.changes(town, { sightIds })));
    await expect(change([own._id, foreign._id])).rejects.toMatchObject(namesNothing('sightIds.1'));
    await expect(change([new Types.ObjectId()])).rejects.toMatchObject(namesNothing('sightIds.0'));
    await expect(insert(persons, {}, { homeId: String(own._id) })).rejects.toMatchObject(
      namesNothing('homeId', { detail: 'is not an open House' }),
    );
    expect(await change([String(own._id)])).toMatchObject({ sightIds: [own._id], revision: 1 });
  });

  it('with a check of the service is safe where that says so', async () => {
    const { _id } = await insert(houses, { townId: (await insert(towns, {}))._id });
    const named = (isSafe: boolean) =>
      run(() => persons.insert({ homeId: _id }, {}, { homeId: () => Promise.resolve(isSafe) }));
    await expect(named(false)).rejects.toMatchObject(namesNothing('homeId'));
    expect(await named(true)).toMatchObject({ homeId: _id });
  });

  it('is counted once, by the record that it is to, when it is new', async () => {
    let town = await insert(towns, {});
    const { _id } = await insert(houses, { townId: town._id });
    for (const sightIds of [[_id], [_id], []]) {
      town = await run(async () => towns.update(town, await towns.changes(town, { sightIds })));
    }
    expect(await houses.get(_id, { also: ['referenceCount'] })).toMatchObject({ referenceCount: 1 });
  });

  it('that the service sets to a record that is gone is a lost race', async () => {
    await expect(insert(houses, { townId: new Types.ObjectId() })).rejects.toMatchObject({ code: 1510 });
    const house = await insert(houses, { townId: (await insert(towns, {}))._id });
    const move = run(() => houses.update(house, { townId: new Types.ObjectId() }));
    await expect(move).rejects.toMatchObject({ code: 1510 });
  });

  it('is to a record of the path at the revision at which the caller was authorized', async () => {
    const town = await insert(towns, {});
    const authorizeAgain = jest.fn(() => Promise.resolve(true));
    const add = (revision: number) =>
      transactions.run(() => houses.insert({}, { townId: town._id }), { revisionOf: () => revision, authorizeAgain });
    await expect(add(1)).rejects.toMatchObject({ code: 1510 });
    expect(authorizeAgain).toHaveBeenCalled();
    await add(0);
  });

  it('is added only in turn, while another write has the turn of the record', async () => {
    const { _id: townId } = await insert(towns, {});
    const { promise: held, resolve: end } = Promise.withResolvers<void>();
    const holding = jest.fn(() => held);
    holding.mockRejectedValueOnce(new LostRace(undefined, String(townId)));
    const holder = run(holding);
    while (holding.mock.calls.length < 2) await setImmediate();
    const { retries } = transactions.counts;
    const adding = jest.fn(() => houses.insert({}, { townId }));
    const added = run(adding);
    await expect(Promise.race([adding.mock.results[0]!.value, setImmediate('waits')])).resolves.toBe('waits');
    end();
    await Promise.all([holder, added]);
    // After the wait, it checks again what it is based on.
    expect(adding).toHaveBeenCalledTimes(2);
    expect(transactions.counts.retries).toBe(retries);
    expect(await count('House')).toBe(1);
  });

  it('is refused with 1510 in the first attempt when too many others wait for the record', async () => {
    const { _id } = await insert(towns, {});
    const all = Array.from({ length: 102 }, () => jest.fn(() => houses.insert({}, { townId: _id })));
    const codes = await Promise.all(all.map((adding) => run(adding).catch(({ code }: LostRace) => code)));
    expect(codes.filter((code) => code === 1510)).toHaveLength(1);
    expect(all[codes.indexOf(1510)]).toHaveBeenCalledTimes(1);
  });

  it('beyond its limit is 1508, until one of the others is gone', async () => {
    const { _id: townId } = await insert(towns, {});
    const [first] = [
      await insert(houses, { townId }),
      await insert(houses, { townId }),
      await insert(houses, { townId }),
    ];
    const full = { errorName: 'tooMany', message: 'The Town has 3 Houses.' };
    await expect(insert(houses, { townId })).rejects.toMatchObject(full);
    await run(() => houses.remove(first));
    await insert(houses, { townId });
    await expect(insert(houses, { townId })).rejects.toMatchObject(full);
  });
});
