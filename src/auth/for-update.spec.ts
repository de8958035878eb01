import { Types } from 'mongoose';
import { apiError } from '../errors/api-error';
import { etagOf } from '../http/etag';
import type { Account } from './account';
import { ForUpdate } from './for-update';
import type { RequestAccess } from './request-access';

interface Thing {
  readonly name: string;
  readonly revision: number;
}

const caller: Account = { _id: new Types.ObjectId(), isAdmin: false, sessionId: new Types.ObjectId() };
const thing = (revision: number): Thing => ({ name: 'a thing', revision });

/** A record that has risen by one revision each time the caller is authorized again. */
function update(ifMatch?: string): { thing: ForUpdate<Thing>; authorizeAgain: jest.Mock<Promise<void>> } {
  const access = { loaded: [{ record: 'the parent' }, { record: thing(0) }] };
  const authorizeAgain = jest.fn<Promise<void>, []>(() => {
    const { revision } = access.loaded[1]!.record as Thing;
    access.loaded = [{ record: 'the parent' }, { record: thing(revision + 1) }];
    return Promise.resolve();
  });
  const again = Object.assign(access, { authorizeAgain });
  return { thing: new ForUpdate<Thing>(caller, again as unknown as RequestAccess, ifMatch), authorizeAgain };
}

describe('a record for update', () => {
  it('is the last one of the path, and comes with the caller', () => {
    const { thing: one } = update();
    expect([one.record, one.account]).toEqual([thing(0), caller]);
  });

  it('is written at the revision that was authorized', async () => {
    const { thing: one, authorizeAgain } = update();
    const attempt = jest.fn().mockResolvedValue('written');
    await expect(one.write(attempt)).resolves.toBe('written');
    expect(attempt.mock.calls).toEqual([[thing(0)]]);
    expect(authorizeAgain).not.toHaveBeenCalled();
  });

  it.each([null, false, 0])('is written when the attempt returns %j', async (written) => {
    await expect(update().thing.write(() => Promise.resolve(written))).resolves.toBe(written);
  });

  it('is authorized again and written as it is then, when another request changed it', async () => {
    const { thing: one, authorizeAgain } = update();
    const attempt = jest.fn<Promise<string | undefined>, [Thing]>().mockResolvedValueOnce(undefined);
    attempt.mockResolvedValueOnce(undefined).mockResolvedValueOnce('written');
    await expect(one.write(attempt)).resolves.toBe('written');
    expect(attempt.mock.calls).toEqual([[thing(0)], [thing(1)], [thing(2)]]);
    expect(authorizeAgain).toHaveBeenCalledTimes(2);
  });

  it('is not written when it is gone or no longer the caller’s by then', async () => {
    const { thing: one, authorizeAgain } = update();
    authorizeAgain.mockRejectedValue(apiError('userNotFound'));
    const attempt = jest.fn().mockResolvedValue(undefined);
    await expect(one.write(attempt)).rejects.toMatchObject({ status: 404 });
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('gets 1510 after five attempts', async () => {
    const attempt = jest.fn().mockResolvedValue(undefined);
    await expect(update().thing.write(attempt)).rejects.toMatchObject({ status: 409, code: 1510 });
    expect(attempt).toHaveBeenCalledTimes(5);
  });

  it('reports what an attempt throws, without another one', async () => {
    const attempt = jest.fn().mockRejectedValue(new Error('no database'));
    await expect(update().thing.write(attempt)).rejects.toThrow('no database');
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});

describe('If-Match', () => {
  it('may be left out, and then matches', () => {
    const { thing: one } = update();
    expect(one.isConditional).toBe(false);
    expect(() => one.requireMatch()).not.toThrow();
  });

  it('must have the ETag of the record', () => {
    const { thing: one } = update(etagOf(thing(0)));
    expect(one.isConditional).toBe(true);
    expect(() => one.requireMatch()).not.toThrow();
    const stale = update(etagOf(thing(1))).thing;
    expect(() => stale.requireMatch()).toThrow(expect.objectContaining({ status: 412, code: 1600 }) as Error);
  });

  it('is compared with the record as it is after another request changed it', async () => {
    const { thing: one } = update(etagOf(thing(0)));
    const write = one.write(() => {
      one.requireMatch();
      return Promise.resolve(undefined);
    });
    await expect(write).rejects.toMatchObject({ status: 412 });
  });

  it('is compared with another ETag where the resource has its own', () => {
    expect(() => update('"own"').thing.requireMatch('"own"')).not.toThrow();
    expect(() => update('"own"').thing.requireMatch('"other"')).toThrow();
  });
});
