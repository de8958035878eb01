import { setImmediate } from 'node:timers/promises';
import { Types } from 'mongoose';
import { useTowns } from '../../../../test/support/towns';
import { LostRace } from '../transactions/lost-race';
import { allowed } from './add-references';
import type { Reference } from '../schema/references';

const { transactions, run, insert, count, ...records } = useTowns('add-references');
const { towns, houses, rooms, persons } = records;

const newTown = () => insert(towns, {});
const newHouse = async (fields: object = {}) => insert(houses, { townId: (await newTown())._id, ...fields });
const newPerson = async (body: object = {}, fields: object = {}) =>
  insert(persons, { homeId: (await newHouse({ isOpen: true }))._id, ...fields }, body);

describe('a reference', () => {
  const namesNothing = (title: string, more: object = {}) => ({ fieldErrors: [{ code: 5012, title, ...more }] });

  it('of a body to a record that does not exist or may not be named is a field error', async () => {
    const town = await newTown();
    const own = await insert(houses, { townId: town._id });
    const foreign = await newHouse();
    const change = (sightIds: unknown[]) =>
      run(async () => towns.update(town, await towns.changes(town, { sightIds })));
    await expect(change([own._id, foreign._id])).rejects.toMatchObject(namesNothing('sightIds.1'));
    await expect(change([new Types.ObjectId()])).rejects.toMatchObject(namesNothing('sightIds.0'));
    await expect(insert(persons, {}, { homeId: String(own._id) })).rejects.toMatchObject(
      namesNothing('homeId', { detail: 'is not an open House' }),
    );
    expect(await change([String(own._id)])).toMatchObject({ sightIds: [own._id], revision: 1 });
  });

  it('is checked in each field of a body, and in each record that is embedded', async () => {
    const [{ _id: personId, homeId }, gone] = [await newPerson(), new Types.ObjectId()];
    const add = (body: object) => insert(rooms, {}, body);
    await expect(add({ houseId: gone, ownerId: gone })).rejects.toMatchObject({
      fieldErrors: [{ title: 'houseId' }, { title: 'ownerId' }],
    });
    await expect(add({ houseId: homeId, ownerId: gone })).rejects.toMatchObject(namesNothing('ownerId'));
    const guests = [{ _id: personId }, { _id: gone }];
    await expect(add({ houseId: homeId, guests })).rejects.toMatchObject(namesNothing('guests.1._id'));
    await expect(add({ houseId: homeId, ownerId: personId })).resolves.toMatchObject({ ownerId: personId });
  });

  it('that is null or not set names nothing that needs to be there', async () => {
    const { _id } = await newPerson({ mentorId: null });
    const { _id: otherId } = await newPerson({ mentorId: undefined });
    for (const id of [_id, otherId]) expect(await persons.get(id)).toMatchObject({ mentorId: null });
  });

  it('is never to the record itself, but it may be to one of another Model with the same id', async () => {
    const person = await newPerson();
    const name = (mentorId: unknown) =>
      run(async () => persons.update(person, await persons.changes(person, { mentorId })));
    await expect(name(String(person._id))).rejects.toMatchObject(namesNothing('mentorId'));
    const { _id } = await newPerson();
    expect(await name(_id)).toMatchObject({ mentorId: _id });
    const town = await newTown();
    expect(await insert(houses, { _id: town._id, townId: town._id })).toMatchObject({ townId: town._id });
  });

  it('that is kept may be to a deleted record', async () => {
    const bornIn = new Types.ObjectId();
    expect(await newPerson({ bornIn })).toMatchObject({ bornIn });
  });

  it('with a check of the service is safe where that says so', async () => {
    const { _id } = await newHouse();
    const named = (isSafe: boolean) =>
      run(() => persons.insert({ homeId: _id }, {}, { homeId: () => Promise.resolve(isSafe) }));
    await expect(named(false)).rejects.toMatchObject(namesNothing('homeId'));
    expect(await named(true)).toMatchObject({ homeId: _id });
  });

  it('is counted once, by the record that it is to, when it is new', async () => {
    let town = await newTown();
    const { _id } = await insert(houses, { townId: town._id });
    for (const sightIds of [[_id], [_id], []]) {
      town = await run(async () => towns.update(town, await towns.changes(town, { sightIds })));
    }
    expect(await houses.get(_id, { also: ['referenceCount'] })).toMatchObject({ referenceCount: 1 });
    const person = await newPerson();
    await insert(rooms, { houseId: person.homeId, ownerId: person._id });
    expect(await houses.get(person.homeId, { also: ['referenceCount'] })).toMatchObject({ referenceCount: 2 });
  });

  it('that the service sets to a deleted record is a lost race', async () => {
    await expect(insert(houses, { townId: new Types.ObjectId() })).rejects.toMatchObject({ code: 1510 });
    const house = await newHouse();
    const move = run(() => houses.update(house, { townId: new Types.ObjectId() }));
    await expect(move).rejects.toMatchObject({ code: 1510 });
  });

  it('is to a record of the path at the revision at which the caller was authorized', async () => {
    const town = await newTown();
    const authorizeAgain = jest.fn(() => Promise.resolve(true));
    const add = (revision: number) =>
      transactions.run(() => houses.insert({}, { townId: town._id }), { revisionOf: () => revision, authorizeAgain });
    await expect(add(1)).rejects.toMatchObject({ code: 1510 });
    expect(authorizeAgain).toHaveBeenCalled();
    await add(0);
  });

  it('is added only in turn, while another write has the turn of the record', async () => {
    const { _id: townId } = await newTown();
    const { promise: held, resolve: end } = Promise.withResolvers<void>();
    const holding = jest.fn(() => held);
    holding.mockRejectedValueOnce(new LostRace(undefined, String(townId)));
    const holder = run(holding);
    while (holding.mock.calls.length < 2) await setImmediate();
    const adding = jest.fn(() => houses.insert({}, { townId }));
    const added = run(adding);
    await expect(Promise.race([adding.mock.results[0]!.value, setImmediate('waits')])).resolves.toBe('waits');
    end();
    await Promise.all([holder, added]);
    // After the wait, it checks again what it is based on.
    expect(adding).toHaveBeenCalledTimes(2);
    expect(await count('House')).toBe(1);
  });

  it('is refused with 1510 in the first attempt when too many others wait for the record', async () => {
    const { _id } = await newTown();
    const all = Array.from({ length: 102 }, () => jest.fn(() => houses.insert({}, { townId: _id })));
    const codes = await Promise.all(all.map((adding) => run(adding).catch(({ code }: LostRace) => code)));
    expect(codes.filter((code) => code === 1510)).toHaveLength(1);
    expect(all[codes.indexOf(1510)]).toHaveBeenCalledTimes(1);
  });

  it('beyond its limit is 1508, until one of the others is deleted', async () => {
    const [{ _id: townId }, other] = [await newTown(), await newTown()];
    const [first] = [
      await insert(houses, { townId }),
      await insert(houses, { townId }),
      await insert(houses, { townId }),
    ];
    for (let number = 0; number < 3; number += 1) await insert(houses, { townId: other._id });
    const full = { errorName: 'tooMany', message: 'The Town has 3 Houses.' };
    await expect(insert(houses, { townId })).rejects.toMatchObject(full);
    await run(() => houses.remove(first));
    await insert(houses, { townId });
    await expect(insert(houses, { townId })).rejects.toMatchObject(full);
  });
});

test('The conditions of a reference are values, and those of fields of the record that has it', () => {
  const among = { kind: 'open', isPublic: true, size: null, townId: '$home.townId' };
  const conditions = { ...among, townId: 'a' };
  expect(allowed({ among } as unknown as Reference, { home: { townId: 'a' }, kind: 'closed', pen: 1 })).toEqual(
    conditions,
  );
});
