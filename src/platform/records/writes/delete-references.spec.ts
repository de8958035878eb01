import { useTowns } from '../../../../test/support/towns';

const { connection, transactions, run, insert, count, ...records } = useTowns('delete-references');
const { towns, houses, rooms, persons, leases, receipts } = records;

/** The commands about records, and which fields they read if not all: `delete towns`. */
const commands: string[] = [];
beforeAll(
  () =>
    void connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
      const [collection, fields] = [String(command[name]), JSON.stringify(command.projection ?? {})];
      if (collection in connection.collections)
        commands.push(`${name} ${collection}${fields.includes('1') ? ` ${fields}` : ''}`);
    }),
);

const newTown = () => insert(towns, {});
const newHouse = async (fields: object = {}) => insert(houses, { townId: (await newTown())._id, ...fields });

describe('a record that is deleted', () => {
  it('takes those of all levels along that are deleted with it, without Events of theirs', async () => {
    const town = await newTown();
    for (let number = 0; number < 2; number += 1) {
      const { _id: houseId } = await insert(houses, { townId: town._id });
      await insert(rooms, { houseId });
    }
    const other = await newHouse();
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => towns.remove(town));
    expect([await count('House'), await count('Room')]).toEqual([1, 0]);
    expect(await houses.get(other._id)).toBeDefined();
    expect(beforeCommit.mock.calls[0]![0].map(({ kind, model }) => `${kind} ${model}`)).toEqual(['deleted Town']);
  });

  it('takes along those that are deleted with an Event, on any level, each with one of its own', async () => {
    const { _id: townId } = await newTown();
    const [house, other] = [await insert(houses, { townId }), await insert(houses, { townId })];
    const { _id: leaseId } = await insert(leases, { houseId: house._id });
    await insert(receipts, { leaseId });
    const left = await insert(leases, { houseId: other._id });
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => houses.remove(house));
    expect([await count('Lease'), await count('Receipt')]).toEqual([1, 0]);
    await run(async () => towns.remove((await towns.get(townId))!));
    expect(await leases.get(left._id)).toBeUndefined();
    const events = beforeCommit.mock.calls.map(([all]) => all.map(({ kind, model }) => `${kind} ${model}`));
    expect(events).toEqual([
      ['deleted House', 'deleted Lease'],
      ['deleted Town', 'deleted Lease'],
    ]);
  });

  it('leaves the lists and the fields that name it, with the Events of these changes', async () => {
    const house = await newHouse({ isOpen: true });
    const person = await insert(persons, { homeId: house._id });
    const guests = [{ _id: person._id }, { _id: (await insert(persons, { homeId: house._id }))._id }];
    const { _id } = await insert(rooms, { houseId: house._id, ownerId: person._id, guests });
    const other = await insert(rooms, { houseId: house._id, ownerId: guests[1]!._id, guests: [guests[1]] });
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    await run(() => persons.remove(person));
    expect(await rooms.get(_id)).toMatchObject({ guests: [guests[1]], ownerId: null, revision: 2 });
    expect(await rooms.get(other._id)).toMatchObject({ ownerId: guests[1]!._id, revision: 0 });
    const events = beforeCommit.mock.calls[0]![0].map(({ kind, model }) => `${kind} ${model}`);
    expect(events).toEqual(['deleted Person', 'updated Room', 'deleted Guest']);
  });

  it('leaves a list of ids that names it', async () => {
    const house = await newHouse();
    const other = await insert(houses, { townId: house.townId });
    await run(async () => towns.update((await towns.get(house.townId))!, { sightIds: [house._id, other._id] }));
    await run(() => houses.remove(house));
    expect(await towns.get(house.townId)).toMatchObject({ sightIds: [other._id], revision: 2 });
  });

  it('stays where a rule of the product refuses it, which sees the references as they were', async () => {
    const house = await newHouse({ isOpen: true });
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

  it('stays where a rule refuses one that it would take along, which the rule sees as it was', async () => {
    const { _id: houseId, townId } = await newHouse();
    const { _id } = await insert(rooms, { houseId });
    const rule = jest.fn(() => Promise.reject(new Error('is a monument')));
    rooms.beforeRemoval(rule);
    const remove = () => run(async () => towns.remove((await towns.get(townId))!));
    await expect(remove()).rejects.toThrow('is a monument');
    expect(rule.mock.calls).toMatchObject([[{ _id, houseId, ownerId: null }]]);
    expect([await count('Town'), await count('House'), await count('Room')]).toEqual([1, 1, 1]);
  });

  it('costs one look for each reference', async () => {
    const { _id, townId } = await newHouse();
    await insert(rooms, { houseId: _id });
    const [empty, town] = [await newTown(), (await towns.get(townId))!];
    commands.splice(0);
    await run(() => towns.remove(empty));
    expect(commands.splice(0)).toEqual(['delete towns', 'find houses {"_id":1}']);
    await run(() => towns.remove(town));
    const ofHouses = ['find rooms {"_id":1}', 'delete rooms', 'find persons {"_id":1}', 'find leases', 'find towns'];
    expect(commands).toEqual(['delete towns', 'find houses {"_id":1}', 'delete houses', ...ofHouses]);
  });
});
