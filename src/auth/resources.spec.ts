import { Test } from '@nestjs/testing';

import { RecordLoader } from '../database/record-loader';
import { type LoadContext, resource, type ResourceDefinition, Resources } from './resources';

const ID = 'a'.repeat(24);
const CHILD = 'b'.repeat(24);
const records = { find: jest.fn() } as unknown as RecordLoader;

const load = jest.fn<Promise<{ id: string } | undefined>, [string, LoadContext]>();
const ownership = jest.fn<object | undefined, [unknown, LoadContext]>();
const houses: ResourceDefinition<{ id: string }> = {
  description: 'The House',
  notFound: 'organizationNotFound',
  load,
  ownership,
};
const rooms: ResourceDefinition<{ id: string }> = { description: 'The Room', notFound: 'managerNotFound', load };

let resources: Resources;
beforeEach(() => {
  load.mockReset().mockImplementation((id) => Promise.resolve({ id }));
  ownership.mockReset().mockReturnValue({ managerIds: [] });
  resources = new Resources(records);
  resources.register('houses/:id', houses);
  resources.register('rooms/:roomId', rooms);
});

describe('the resources of a path', () => {
  it('are found by the noun and the parameter, outermost first', () => {
    expect(resources.inPath('houses')).toEqual([]);
    expect(resources.inPath('houses/:id/rooms')).toEqual([{ param: 'id', definition: houses }]);
    expect(resources.inPath('/houses//:id/rooms/:roomId/')).toEqual([
      { param: 'id', definition: houses },
      { param: 'roomId', definition: rooms },
    ]);
  });

  it.each(['houses/:houseId', 'rooms/:id', ':id'])('stop the start when nobody has registered %s', (path) => {
    const name = path === ':id' ? 'undefined/:id' : path;
    const [noun] = name.split('/');
    const file = `src/${noun}/${noun}.module.ts`;
    const advice = `The path "/${path}" has no resource: add resource('${name}', …) to ${file}.`;
    expect(() => resources.inPath(path)).toThrow(advice);
  });

  it('are registered by a provider of their module', async () => {
    const provided = [Resources, { provide: RecordLoader, useValue: records }, resource('houses/:houseId', houses)];
    const module = await Test.createTestingModule({ providers: provided }).compile();
    expect(module.get(Resources).inPath('houses/:houseId')).toEqual([{ param: 'houseId', definition: houses }]);
    await module.close();
  });
});

describe('loading what a path names', () => {
  const inner = (): ReturnType<Resources['load']> =>
    resources.load(resources.inPath('houses/:id/rooms/:roomId'), { id: ID, roomId: CHILD });

  it('returns each record with who has rights on it', async () => {
    await expect(inner()).resolves.toEqual([
      { record: { id: ID }, ownership: { managerIds: [] } },
      { record: { id: CHILD }, ownership: {} },
    ]);
  });

  it('gives each resource the one before it in the path', async () => {
    await inner();
    const parent = { record: { id: ID }, ownership: { managerIds: [] } };
    expect(load.mock.calls).toEqual([
      [ID, { records, parent: undefined }],
      [CHILD, { records, parent }],
    ]);
    expect(ownership.mock.calls).toEqual([[{ id: ID }, { records, parent: undefined }]]);
  });

  it.each(['', '1', 'A'.repeat(24), `${ID}a`, 'g'.repeat(24)])('does not look for %j, which is no id', async (id) => {
    await expect(resources.load(resources.inPath('houses/:id'), { id })).rejects.toMatchObject({ code: 1234 });
    await expect(resources.load(resources.inPath('houses/:id'), {})).rejects.toMatchObject({ status: 404 });
    expect(load).not.toHaveBeenCalled();
  });

  it('reports the first record that does not exist, and loads nothing after it', async () => {
    load.mockResolvedValueOnce(undefined);
    await expect(inner()).rejects.toMatchObject({ errorName: 'organizationNotFound' });
    expect(load).toHaveBeenCalledTimes(1);
    expect(ownership).not.toHaveBeenCalled();
  });

  it('reports a record as not found when what it belongs to is gone', async () => {
    ownership.mockReturnValue(undefined);
    await expect(inner()).rejects.toMatchObject({ errorName: 'organizationNotFound' });
  });
});
