import { setImmediate } from 'node:timers/promises';
import { Schema, Types } from 'mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { PageBoundaries } from './page-boundaries';

const model = useModel<object>(
  useConnection('page_boundaries'),
  new Schema({ revision: Number }, { collection: 'records' }),
);
const ids = Array.from({ length: 400 }, () => new Types.ObjectId());
beforeEach(() => model.collection.insertMany(ids.map((_id) => ({ _id, revision: 0 }))));
afterEach(() => jest.restoreAllMocks());

describe('page boundaries', () => {
  it('are every fiftieth id, and unknown after the last one', async () => {
    const boundaries = new PageBoundaries(model);
    expect(String(await boundaries.after(undefined, 20, 1))).toBe(String(ids[99]));
    expect(await boundaries.after(String(ids[399]), 20, 1)).toBeUndefined();
    // From the last sampled id, which is the last of all, one step back; then from the one before an id.
    expect(String(await boundaries.after(undefined, 20, -1))).toBe(String(ids[349]));
    expect(String(await boundaries.after(String(ids[200]), 20, -1))).toBe(String(ids[149]));
    expect(await boundaries.after(String(ids[60]), 20, -1)).toBeUndefined();
  });

  it('are read once by pages that come at once, in ranges that get shorter where a read takes too long', async () => {
    const find = jest.spyOn(model.collection, 'find');
    const refused = (): never => {
      throw new Error('too long');
    };
    find.mockImplementationOnce(refused);
    const boundaries = new PageBoundaries(model);
    const ends = await Promise.all([1, 2, 3].map(() => boundaries.after(undefined, 20, -1)));
    expect(ends.map(String)).toEqual(Array(3).fill(String(ids[349])));
    const [failed, shorter] = find.mock.calls.map(([filter]) => startOf(filter as { _id: { $gt: Types.ObjectId } }));
    expect(shorter! - failed!).toBe(45);
    expect(find.mock.calls.length).toBeLessThan(40);
  });

  it('are given up at once if the database does not respond', async () => {
    const noResponse = (): never => {
      throw new Error('no response');
    };
    const find = jest.spyOn(model.collection, 'find').mockImplementation(noResponse);
    jest.spyOn(model.db.db!, 'command').mockImplementation(noResponse);
    expect(await new PageBoundaries(model).after(undefined, 20, 1)).toBeUndefined();
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('are read in shorter ranges where there are very many ids', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const idAt = (number: number): Types.ObjectId => {
      const time = Types.ObjectId.createFromTime(seconds - (number % 40)).toHexString();
      return new Types.ObjectId(time.slice(0, 8) + number.toString(16).padStart(16, '0'));
    };
    await model.collection.insertMany(Array.from({ length: 20_001 }, (_, number) => ({ _id: idAt(number) })));
    const find = jest.spyOn(model.collection, 'find');
    const boundaries = new PageBoundaries(model);
    expect(await boundaries.after(undefined, 20, 1)).toBeDefined();
    const [tooLong, shorter] = find.mock.calls.map(([filter]) => startOf(filter as { _id: { $gt: Types.ObjectId } }));
    expect(shorter! - tooLong!).toBe(45);
  });

  it('go on after the last one when they are read again', async () => {
    const boundaries = new PageBoundaries(model);
    await boundaries.after(undefined, 20, -1);
    const added = Array.from({ length: 100 }, () => new Types.ObjectId());
    await model.collection.insertMany(added.map((_id) => ({ _id, revision: 0 })));
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20_000);
    while (String(await boundaries.after(undefined, 20, -1)) !== String(added[49])) await setImmediate();
  });
});

/** The first second of a range of ids. */
function startOf({ _id }: { _id: { $gt: Types.ObjectId } }): number {
  return _id.$gt.getTimestamp().getTime() / 1000;
}
