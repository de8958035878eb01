import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { accessIn, authorizeFields, endSessions, isRenamed, needsLogin, shownTo, usersFor } from './user-access';
import type { CreateUserInput, UserQuery } from './user.dto';
import type { User, UserRecord } from './user.schema';

const [own, other] = [new Types.ObjectId(), new Types.ObjectId()].map((_id): UserRecord => {
  const names = { username: 'ada', companyName: 'Engines', email: 'ada@engines.example', externalId: 'a' };
  const state = { roles: [], isSuspended: false, suspendedAt: null, revision: 0 };
  return { _id, ...names, ...state, createdAt: new Date(0), updatedAt: new Date(1) };
}) as [UserRecord, UserRecord];
const account: Account = { _id: own._id, username: 'ada', isAdmin: false, sessionId: new Types.ObjectId() };
const admin: Account = { ...account, isAdmin: true };

test('A User is whole for Admins and themselves, and for others a name, a company and when they came', () => {
  expect(shownTo(account, own)).toBe(own);
  expect(shownTo(admin, other)).toBe(other);
  const { _id, username, companyName, createdAt } = other;
  expect(shownTo(account, other)).toEqual({ _id, username, companyName, createdAt });
});

describe('the list of Users', () => {
  const paging = { skip: 1, limit: 2, after: 'a', sort: '_id', exactCount: true };
  const names = { id: ['a'], q: 'a', username: 'a' };
  const hidden = { email: 'a', role: 'admin', isSuspended: false, updatedSince: new Date(0) };
  const list = (query: object, isOpen: boolean, caller = account) => usersFor(caller, query as UserQuery, isOpen);
  const forbidden = (name: string) =>
    expect.objectContaining({
      errorName: 'forbidden',
      message: `Only an Admin may filter Users by "${name}".`,
    }) as Error;

  it('is for an Admin all of them, with every filter', () => {
    for (const isOpen of [true, false]) {
      expect(list({ ...paging, ...names, ...hidden }, isOpen, admin)).toEqual({
        own: undefined,
        filter: { _id: undefined, username: 'a', email: 'a', roles: 'admin', isSuspended: { $ne: true } },
      });
      expect(list({ isSuspended: true }, isOpen, admin).filter).toEqual({ isSuspended: true });
      expect(list({}, isOpen, admin).filter).not.toHaveProperty('isSuspended');
    }
  });

  it('is for others all of them where the directory is open, by the names, and by their own e-mail address', () => {
    expect(list({ ...paging, ...names }, true)).toEqual({ own: own._id, filter: { username: 'a' } });
    expect(list(paging, true)).toEqual({ own: undefined, filter: {} });
    expect(list({ q: '' }, true)).toMatchObject({ own: own._id });
  });

  it('is for others only themselves where it is closed, on any page', () => {
    expect(list(paging, false)).toEqual({ own: undefined, filter: { _id: own._id } });
  });

  it.each([
    [true, Object.keys(hidden)],
    [false, [...Object.keys(names), ...Object.keys(hidden)]],
  ])('refuses others what it does not show, where its being open is %j: %j', (isOpen, refused) => {
    const all = { ...names, ...hidden };
    for (const name of refused) {
      const query = { ...paging, [name]: all[name as keyof typeof all] };
      expect(() => list(query, isOpen)).toThrow(forbidden(name));
      expect(() => list({ ...query, [name]: undefined }, isOpen)).not.toThrow();
    }
  });
});

test('A new User sets what only Admins may where it differs from what all new ones have', () => {
  const of = (fields: object) => accessIn({ roles: [], ...fields } as unknown as CreateUserInput);
  for (const fields of [{}, { isSuspended: false, externalId: null }]) expect(of(fields)).toEqual({});
  const all = { roles: ['admin'], isSuspended: true, externalId: '' };
  expect(of(all)).toEqual(all);
});

test.each([
  ['Only an Admin may set roles.', { roles: [] }],
  ['Only an Admin may suspend a User.', { isSuspended: false }],
  ['Only an Admin may set an externalId.', { externalId: null }],
  [undefined, { roles: undefined, isSuspended: undefined, externalId: undefined }],
])('Others than Admins are told %j for %j', (message, fields) => {
  const check = expect(() => authorizeFields(fields));
  if (message === undefined) check.not.toThrow();
  else check.toThrow(expect.objectContaining({ errorName: 'forbidden', message }) as Error);
});

test('A User is renamed by another username or e-mail address, and by nothing else', () => {
  const changes = [{ username: 'b' }, { email: 'b' }, { companyName: 'b', externalId: 'b' }];
  expect(changes.map(isRenamed)).toEqual([true, true, false]);
});

test.each<[string, boolean, boolean, object, Partial<User>]>([
  ['roles', true, true, {}, { roles: [] }],
  ['an external id', true, true, {}, { externalId: null }],
  ['a password', true, true, { password: 'b' }, {}],
  ['a suspension', false, true, {}, { isSuspended: false }],
  ['a username', false, true, {}, { username: 'b' }],
  ['an e-mail address', false, true, {}, { email: 'b' }],
  ['anything else', false, false, { currentPassword: 'b' }, { companyName: 'b' }],
])('A change of %s needs a login: of any User %j, of an Admin %j', (_what, ofAll, ofAdmins, sent, changes) => {
  const needs = (user: UserRecord) => needsLogin(user, sent as never, changes);
  expect([needs(own), needs({ ...own, roles: ['admin'] })]).toEqual([ofAll, ofAdmins]);
});

describe('the sessions of a User', () => {
  const all = { $pull: { sessions: {} } };
  const others = { $pull: { sessions: { _id: { $ne: account.sessionId } } } };

  it.each([
    ['none at another change', own, { companyName: 'b', isSuspended: false }, undefined],
    ['all when they are suspended', other, { isSuspended: true }, all],
    ['all when they suspend themselves, with a new password too', own, { isSuspended: true, passwordHash: 'b' }, all],
    ['all when an Admin sets their password', other, { passwordHash: 'b' }, all],
    ['the others when they change it themselves', own, { passwordHash: 'b' }, others],
  ])('end: %s', (_title, user, changes, ended) => expect(endSessions(account, user, changes)).toEqual(ended));
});
