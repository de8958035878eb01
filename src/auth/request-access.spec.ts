import { Types } from 'mongoose';
import { settingsWith } from '../../test/support/settings';
import { type AccessRuleName, accessRules } from './access-rules';
import type { AccessTokenClaims } from './access-tokens';
import type { Account } from './account';
import { RequestAccess } from './request-access';
import type { LoadedResource, Resources } from './resources';

const caller: Account = { _id: new Types.ObjectId(), username: 'ada', isAdmin: false, sessionId: new Types.ObjectId() };
const own: LoadedResource = { record: 'a user', ownership: { ownerId: caller._id } };
const claims = {} as AccessTokenClaims;

const accounts = { load: jest.fn<Promise<Account | undefined>, [AccessTokenClaims]>() };
const resources = { load: jest.fn<Promise<LoadedResource[]>, unknown[]>() };

function access(name: AccessRuleName = 'self'): RequestAccess {
  const route = { rule: accessRules[name], resources: [], scopes: ['read' as const] };
  return new RequestAccess(route, { id: 'an id' }, resources as unknown as Resources, settingsWith());
}

beforeEach(() => {
  accounts.load.mockReset().mockResolvedValue(caller);
  resources.load.mockReset().mockResolvedValue([own]);
});

describe('a request', () => {
  it('loads the account and the records at the same time, and each once', async () => {
    accounts.load.mockImplementation(async () => {
      expect(resources.load).not.toHaveBeenCalled();
      await Promise.resolve();
      // By now both reads are under way.
      expect(resources.load).toHaveBeenCalledTimes(1);
      return caller;
    });
    const request = access();
    await request.authenticate(claims, accounts);
    expect([request.account, request.loaded]).toEqual([caller, []]);
    await request.authorize();
    expect(request.loaded).toEqual([own]);
    expect(accounts.load.mock.calls).toEqual([[claims]]);
    expect(resources.load.mock.calls).toEqual([[[], { id: 'an id' }, accounts.load.mock.results[0]!.value]]);
  });

  it('that reaches no database causes no unhandled rejection, whichever read fails first', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const failLater = (): Promise<never> =>
      new Promise((_, reject) => setImmediate(() => reject(new Error('no records'))));
    for (const load of [() => Promise.reject(new Error('no account')), failLater]) {
      accounts.load.mockImplementation(load);
      resources.load.mockImplementation(failLater);
      await expect(access().authenticate(claims, accounts)).rejects.toThrow(/no (account|records)/);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
