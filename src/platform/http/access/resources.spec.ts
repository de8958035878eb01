import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Types } from 'mongoose';
import type { Account } from './account';
import { type LoadedResource, Loads, Resources } from './resources';

const id = '65f5f0a2c3d4e5f60718293a';
const other = '65f5f0a2c3d4e5f60718293b';
const loaded: unknown[] = [];

class HousesService {
  private readonly gone = other;

  @Loads('houses/:id', { description: 'The House', notFound: 'pathNotFound', takesMe: true })
  load(house: string, parent?: LoadedResource): Promise<LoadedResource | undefined> {
    loaded.push(['house', house, parent]);
    return Promise.resolve(house === this.gone ? undefined : { record: house, ownership: {} });
  }

  @Loads('rooms/:roomId', { description: 'The Room', notFound: 'unusableRequest' })
  loadRoom(room: string, parent: LoadedResource): Promise<LoadedResource | undefined> {
    loaded.push(['room', room, parent.record]);
    return Promise.resolve(room === this.gone ? undefined : { record: room, ownership: {} });
  }
}

let resources: Resources;
beforeAll(async () => {
  const others = [
    { provide: 'nothing', useValue: null },
    { provide: 'undefined', useFactory: () => undefined },
    { provide: 'text', useValue: 'text' },
  ];
  const providers = [Resources, HousesService, ...others];
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
  resources = module.get(Resources);
});
beforeEach(() => void (loaded.length = 0));

const PATH = '/houses/:id/rooms/:roomId';
const load = (params: Record<string, string>, caller?: Promise<Account | undefined>): Promise<unknown[]> =>
  resources.load(resources.inPath(PATH), params, caller).then((found) => found.map(({ record }) => record));

describe('the resources of a path', () => {
  it('are named by its parameters, outermost first', () => {
    const named = (path: string): unknown[] =>
      resources.inPath(path).map(({ param, definition }) => [param, definition.description]);
    expect(named(PATH)).toEqual([
      ['id', 'The House'],
      ['roomId', 'The Room'],
    ]);
    for (const path of ['/', '', 'houses', '//houses//']) expect(named(path)).toEqual([]);
  });

  it('must be loaded by a method, whose place the error names', () => {
    const place = `add @Loads('castles/:id', …) in src/registry/castles.`;
    expect(() => resources.inPath('//houses/:id/castles/:id')).toThrow(
      `Nothing loads "castles/:id" of /houses/:id/castles/:id: ${place}`,
    );
  });

  it('are loaded one after the other, each with the one before', async () => {
    expect(await load({ id, roomId: other.replace('b', 'c') })).toEqual([id, other.replace('b', 'c')]);
    expect(loaded).toEqual([
      ['house', id, undefined],
      ['room', other.replace('b', 'c'), id],
    ]);
  });

  it('end at the first that does not exist', async () => {
    await expect(load({ id: other, roomId: other })).rejects.toMatchObject({ code: 1301 });
    expect(loaded).toHaveLength(1);
    await expect(load({ id, roomId: other })).rejects.toMatchObject({ code: 1006 });
  });

  const noIds = ['', '1', 'me', 'ME', 'undefined', '\0', '%00', '$ne', '[object Object]', '%E0%A4%A'];
  it.each([...noIds, id.toUpperCase(), id.slice(1), `${id}0`])(
    'are not looked for by what is no id: %j',
    async (roomId) => {
      await expect(load({ id, roomId })).rejects.toMatchObject({ code: 1006 });
      expect(loaded).toHaveLength(1);
    },
  );

  it('are not looked for by a parameter that is not there', async () => {
    await expect(load({})).rejects.toMatchObject({ code: 1301 });
    expect(loaded).toEqual([]);
  });

  it('may be named as me, where it is the caller', async () => {
    const caller = Promise.resolve({ _id: new Types.ObjectId(id), username: 'ada', isAdmin: false });
    await expect(load({ id: 'me', roomId: id }, caller)).resolves.toEqual([id, id]);
    await expect(load({ id: 'ME', roomId: id }, caller)).rejects.toMatchObject({ code: 1301 });
    for (const nobody of [undefined, Promise.resolve(undefined)])
      await expect(load({ id: 'me', roomId: id }, nobody)).rejects.toMatchObject({ code: 1301 });
  });
});
