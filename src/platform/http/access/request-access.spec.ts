import type { ExecutionContext } from '@nestjs/common';
import { Types } from 'mongoose';
import { settingsWith } from '../../../../test/support/settings';
import { apiError } from '../../base/errors/api-error';
import { currentTransaction, inContext } from '../../records/transactions/context';
import type { Transaction } from '../../records/transactions/transaction';
import { RawBody } from '../body/raw-body';
import { type AccessRule, accessRules } from './access-rules';
import { type Account, AccountLoader, type OidcClaims } from './account';
import { RequestAccess } from './request-access';
import { ResourceGuard } from './resource.guard';
import { type LoadedResource, type PathResource, Resources } from './resources';
import type { RouteAccess } from './route-access';

const settings = settingsWith();
const claims = { keyHash: 'x' };
const [ada, outer, inner] = Array.from({ length: 3 }, () => new Types.ObjectId());
const params = { id: String(outer), keyId: String(inner) };
const accountWith = (fields: Partial<Account> = {}): Account => ({
  ...{ _id: ada!, username: 'ada', isAdmin: false },
  ...fields,
});

/** What the database has of the caller and of the two records that the path names; a test changes it. */
let account: Account | undefined;
let records: Record<string, { _id: Types.ObjectId; revision?: number } | undefined>;
/** What was loaded and decided, in order. */
let steps: unknown[];
beforeEach(() => {
  account = accountWith();
  records = { id: { _id: outer!, revision: 1 }, keyId: { _id: inner!, revision: 7 } };
  steps = [];
});

class Accounts extends AccountLoader {
  override load = (): Promise<Account | undefined> => {
    steps.push('account', currentTransaction());
    return Promise.resolve(account);
  };
  override refusal = jest.fn(() => apiError('accountGone'));
}
const accounts = new Accounts();

const resource = (param: string, notFound: 'pathNotFound' | 'unusableRequest'): PathResource => ({
  param,
  definition: {
    ...{ description: param, notFound },
    load: (): Promise<LoadedResource | undefined> => {
      steps.push(param);
      const record = records[param];
      return Promise.resolve(record && { record, ownership: { ownerId: record._id } });
    },
  },
});
const resources = [resource('id', 'pathNotFound'), resource('keyId', 'unusableRequest')];

/** Access to a route; by default it is for everybody with an account, and its path names two records. */
const accessTo = (route: Partial<RouteAccess> = {}, named = params): RequestAccess =>
  new RequestAccess(
    { rule: accessRules.account, scopes: ['read', 'write'], resources, ...route },
    named,
    new Resources(undefined as never, undefined as never),
    settings,
  );

async function passed(access: RequestAccess): Promise<RequestAccess> {
  await access.authenticate(claims, accounts);
  await access.authorize();
  return access;
}

describe('the access of a request', () => {
  it('has the caller, and the records that the path names, whose innermost the operation is about', async () => {
    const access = await passed(accessTo());
    expect([access.account, access.record]).toEqual([account, records.keyId]);
    expect(access.loaded.map(({ record }) => record)).toEqual([records.id, records.keyId]);
    expect(steps).toEqual(['account', undefined, 'id', 'keyId']);
    expect((await passed(accessTo({ resources: [] }))).record).toBeUndefined();
  });

  it('is refused for a missing account before a missing record', async () => {
    [account, records] = [undefined, {}];
    const access = accessTo();
    await expect(access.authenticate(claims, accounts)).rejects.toMatchObject({ code: 1102 });
    expect(accounts.refusal).toHaveBeenCalledWith(claims);
    jest.spyOn(accounts, 'load').mockRejectedValueOnce(apiError('suspended'));
    await expect(access.authenticate(claims, accounts)).rejects.toMatchObject({ code: 1202 });
  });

  it('is refused for the first record that is missing, once the caller is known, and reads none twice', async () => {
    records.keyId = undefined;
    const access = accessTo();
    await access.authenticate(claims, accounts);
    await expect(access.authorize()).rejects.toMatchObject({ code: 1006 });
    expect(steps).toEqual(['account', undefined, 'id', 'keyId']);
    records.id = undefined;
    await expect(passed(accessTo())).rejects.toMatchObject({ code: 1301 });
    expect(access.loaded).toEqual([]);
  });

  it('needs no account for an operation that creates one for an identity', async () => {
    account = undefined;
    const registrant: OidcClaims = { subject: 'ada', exp: 0, payload: {} };
    const allows = jest.fn(() => true);
    const access = accessTo({ rule: { who: '', allows }, resources: [] });
    access.registrant = registrant;
    await passed(access);
    expect(allows).toHaveBeenCalledWith({ account: undefined, registrant, ownership: {}, settings });
  });

  it('loads the records of an operation that needs no account', async () => {
    const access = accessTo({ rule: accessRules.anyone });
    await access.authorize();
    expect([access.record, access.account]).toEqual([records.keyId, undefined]);
  });

  it('ignores the token only where the rule says so by the settings', () => {
    const ruleWith = (token?: AccessRule['token']): AccessRule => ({
      who: '',
      allows: () => true,
      ...(token && { token }),
    });
    const token = jest.fn(() => 'ignored' as const);
    const rules = [ruleWith(token), ruleWith(() => 'optional'), ruleWith()];
    expect(rules.map((rule) => accessTo({ rule }).ignoresToken)).toEqual([true, false, false]);
    expect(token).toHaveBeenCalledWith(settings);
  });
});

describe('what the caller may do', () => {
  it('is what the rule allows by the ownership of the innermost record; a refusal says who may', async () => {
    const allows = jest.fn(() => false);
    const refused = passed(accessTo({ rule: { who: 'a Manager', allows } }));
    await expect(refused).rejects.toMatchObject({ code: 1200, message: 'Only a Manager may do this.' });
    expect(allows).toHaveBeenLastCalledWith({
      account,
      registrant: undefined,
      ownership: { ownerId: inner },
      settings,
    });
    await passed(
      accessTo({ rule: { who: '', allows: allows.mockReturnValue(true) }, resources: resources.slice(0, 1) }),
    );
    expect(allows).toHaveBeenLastCalledWith(expect.objectContaining({ ownership: { ownerId: outer } }));
  });

  it('can be asked for by other rules', async () => {
    const access = await passed(accessTo());
    expect([accessRules.account, accessRules.admin].map((rule) => access.isAllowedBy(rule))).toEqual([true, false]);
  });

  it('is bounded by the scope of the API key, which is checked first', async () => {
    account = accountWith({ apiKeyScope: 'read' });
    await passed(accessTo({ scopes: ['read', 'write'] }));
    for (const scopes of [['write'], []] as const)
      await expect(passed(accessTo({ scopes, rule: accessRules.admin }))).rejects.toMatchObject({ code: 1201 });
    account = accountWith();
    await passed(accessTo({ scopes: [] }));
  });
});

describe('the access of a request that comes second', () => {
  it('is that of the account and the records as they are now, read outside its transaction', async () => {
    const access = await passed(accessTo({ rule: accessRules.account }));
    const caller = access.account;
    steps = [];
    account = accountWith({ isAdmin: true });
    records.id = { _id: outer!, revision: 2 };
    const again = inContext({ transaction: {} as Transaction }, () => access.authorizeAgain());
    await expect(again).resolves.toBe(true);
    expect(steps).toEqual(['account', undefined, 'id', 'keyId']);
    expect(access.account).toBe(caller);
    expect([caller, access.loaded[0]?.record]).toEqual([account, records.id]);
    await expect(access.authorizeAgain()).resolves.toBe(false);
  });

  it('has changed if the revision of any record has, or one has become another', async () => {
    const access = await passed(accessTo());
    // Without a separator between them, these revisions would look the same.
    records = { id: { _id: outer!, revision: 17 }, keyId: { _id: inner! } };
    await expect(access.authorizeAgain()).resolves.toBe(true);
    records = { id: { _id: outer!, revision: 1 }, keyId: { _id: inner!, revision: 7 } };
    await expect(access.authorizeAgain()).resolves.toBe(true);
  });

  it('ends with the rights, the record or the login', async () => {
    account = accountWith({ isAdmin: true });
    const access = await passed(accessTo({ rule: accessRules.admin }));
    account = accountWith();
    await expect(access.authorizeAgain()).rejects.toMatchObject({ code: 1200 });
    records.keyId = undefined;
    await expect(access.authorizeAgain()).rejects.toMatchObject({ code: 1006 });
    account = undefined;
    await expect(access.authorizeAgain()).rejects.toMatchObject({ code: 1102 });
  });

  it('needs no account if it needed none before', async () => {
    const access = accessTo({ rule: accessRules.anyone });
    await access.authorize();
    records.keyId = { _id: inner!, revision: 8 };
    await expect(access.authorizeAgain()).resolves.toBe(true);
    expect(access.record).toEqual(records.keyId);
    expect(access.account).toBeUndefined();
  });
});

it('The revision of a request is that of the outermost record alone', async () => {
  const access = accessTo();
  expect(access.revisionOf(params.id)).toBeUndefined();
  await passed(access);
  expect([params.id, params.keyId, 'undefined'].map((id) => access.revisionOf(id))).toEqual([1, undefined, undefined]);
});

describe('the guard of resources', () => {
  const check = (request: object): Promise<boolean> => {
    const context = { switchToHttp: () => ({ getRequest: () => request }) };
    return new ResourceGuard().canActivate(context as unknown as ExecutionContext);
  };

  it('lets a request pass that may do what it asks, and one outside the contract', async () => {
    await expect(check({ access: accessTo({ rule: accessRules.anyone }), method: 'GET' })).resolves.toBe(true);
    await expect(check({ method: 'GET' })).resolves.toBe(true);
    const refused = check({ access: accessTo({ rule: accessRules.admin }), method: 'GET' });
    await expect(refused).rejects.toMatchObject({ code: 1200 });
  });

  it('gives the body of a PUT, and of no other request, the record as it is at each attempt', async () => {
    const storedOf = async (method: string, body?: RawBody): Promise<() => unknown> => {
      await check({ access, method, body });
      return () => body?.stored();
    };
    const access = accessTo({ rule: accessRules.anyone });
    const [put, post] = [await storedOf('PUT', new RawBody({})), await storedOf('POST', new RawBody({}))];
    await storedOf('PUT');
    expect([put(), post()]).toEqual([records.keyId, undefined]);
    records.keyId = { _id: inner!, revision: 8 };
    await access.authorizeAgain();
    expect(put()).toEqual(records.keyId);
  });
});
