import { AllRecords } from '../database/records.module';
import { type LoadContext, type ResourceDefinition, Resources } from './resources';

const ID = 'a'.repeat(24);
const CHILD = 'b'.repeat(24);
const records = { of: jest.fn() } as unknown as AllRecords;

const load = jest.fn<Promise<{ id: string } | undefined>, [string, LoadContext]>();
const ownership = jest.fn<object | undefined, [unknown, LoadContext]>();
type Definition = ResourceDefinition<{ id: string }>;
const houses: Definition = { description: 'The House', notFound: 'organizationNotFound', load, ownership };
const rooms: Definition = { description: 'The Room', notFound: 'managerNotFound', load };

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

  it.each(['houses/:houseId', 'rooms/:id', ':id'])('stop the start when no module has registered %s', (path) => {
    const name = path === ':id' ? 'undefined/:id' : path;
    const [noun] = name.split('/');
    const file = `src/${noun}/${noun}.module.ts`;
    const advice = `The path "/${path}" has no resource: add resource('${name}', …) to ${file}.`;
    expect(() => resources.inPath(path)).toThrow(advice);
  });
});

describe('loading what a path names', () => {
  const inner = (): ReturnType<Resources['load']> =>
    resources.load(resources.inPath('houses/:id/rooms/:roomId'), { id: ID, roomId: CHILD });

  it('returns each record with who has rights on it, and gives each the one before it', async () => {
    const parent = { record: { id: ID }, ownership: { managerIds: [] } };
    await expect(inner()).resolves.toEqual([parent, { record: { id: CHILD }, ownership: {} }]);
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

  it('reports the first record that does not exist, or whose owner is gone, and loads nothing after it', async () => {
    load.mockResolvedValueOnce(undefined);
    await expect(inner()).rejects.toMatchObject({ errorName: 'organizationNotFound' });
    expect([load.mock.calls.length, ownership.mock.calls.length]).toEqual([1, 0]);
    ownership.mockReturnValue(undefined);
    await expect(inner()).rejects.toMatchObject({ errorName: 'organizationNotFound' });
    expect(load).toHaveBeenCalledTimes(2);
  });
});
