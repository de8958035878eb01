import { Types } from 'mongoose';
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
  const access = { account: caller, loaded: [{ record: 'the parent' }, { record: thing(0) }] };
  const authorizeAgain = jest.fn<Promise<void>, []>(() => {
    const { revision } = access.loaded[1]!.record as Thing;
    access.loaded = [{ record: 'the parent' }, { record: thing(revision + 1) }];
    return Promise.resolve();
  });
  const again = Object.assign(access, { authorizeAgain });
  return { thing: new ForUpdate<Thing>(again as unknown as RequestAccess, ifMatch), authorizeAgain };
}

describe('a record for update', () => {
  it.each(['written', null, false, 0])('is written at the revision that was authorized: %j', async (written) => {
    const { thing: one, authorizeAgain } = update();
    const attempt = jest.fn().mockResolvedValue(written);
    await expect(one.write(attempt)).resolves.toBe(written);
    expect(attempt.mock.calls).toEqual([[thing(0)]]);
    expect(authorizeAgain).not.toHaveBeenCalled();
  });

  it('is authorized again and written as it is then, when another request changed it', async () => {
    const { thing: one, authorizeAgain } = update();
    const attempt = jest.fn().mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined);
    await expect(one.write(attempt.mockResolvedValueOnce('written'))).resolves.toBe('written');
    expect(attempt.mock.calls).toEqual([[thing(0)], [thing(1)], [thing(2)]]);
    expect(authorizeAgain).toHaveBeenCalledTimes(2);
  });

  it('gets 1510 after five attempts', async () => {
    const attempt = jest.fn().mockResolvedValue(undefined);
    await expect(update().thing.write(attempt)).rejects.toMatchObject({ status: 409, code: 1510 });
    expect(attempt).toHaveBeenCalledTimes(5);
  });
});

describe('If-Match', () => {
  it('must have the ETag of the record, if the request has one', () => {
    const all = [undefined, etagOf(thing(0)), etagOf(thing(1))].map((header) => update(header).thing);
    expect(all.map((one) => one.isConditional)).toEqual([false, true, true]);
    for (const one of all.slice(0, 2)) expect(() => one.requireMatch()).not.toThrow();
    expect(() => all[2]!.requireMatch()).toThrow(expect.objectContaining({ status: 412, code: 1600 }) as Error);
  });

  it('is compared with another ETag where the resource has its own', () => {
    expect(() => update('"own"').thing.requireMatch('"own"')).not.toThrow();
    expect(() => update('"own"').thing.requireMatch('"other"')).toThrow();
  });
});
