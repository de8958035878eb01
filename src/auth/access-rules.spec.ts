import { Types } from 'mongoose';
import { settingsWith } from '../../test/support/settings';
import type { Settings } from '../config/settings';
import { type AccessRule, type AccessRuleName, accessRules, type Ownership } from './access-rules';
import type { Account } from './account';

const account = (isAdmin = false): Account => ({ _id: new Types.ObjectId(), isAdmin, sessionId: new Types.ObjectId() });
const callers = { nobody: undefined, stranger: account(), owner: account(), manager: account(), admin: account(true) };
type Caller = keyof typeof callers;

const records: Record<'private' | 'public' | 'unowned', Ownership> = {
  private: { ownerId: callers.owner._id, managerIds: [account()._id, callers.manager._id] },
  public: { ownerId: callers.owner._id, managerIds: [callers.manager._id], isPublic: true },
  unowned: {},
};

const open = settingsWith({ REGISTRATION: 'open', ORGANIZATION_CREATION: 'accounts' });
const closed = settingsWith({ REGISTRATION: 'admin', ORGANIZATION_CREATION: 'admin' });

function allowed(rule: AccessRuleName, ownership: Ownership, settings: Settings = open): Caller[] {
  const names = Object.keys(callers) as Caller[];
  return names.filter((name) => accessRules[rule].allows({ account: callers[name], ownership, settings }));
}

const everyone = Object.keys(callers) as Caller[];
const accounts = everyone.filter((name) => name !== 'nobody');

describe('the access rules', () => {
  it.each<[AccessRuleName, Record<keyof typeof records, Caller[]>]>([
    ['anyone', { private: everyone, public: everyone, unowned: everyone }],
    ['account', { private: accounts, public: accounts, unowned: accounts }],
    ['self', { private: ['owner', 'admin'], public: ['owner', 'admin'], unowned: ['admin'] }],
    ['creator', { private: ['owner', 'admin'], public: ['owner', 'admin'], unowned: ['admin'] }],
    ['manager', { private: ['manager', 'admin'], public: ['manager', 'admin'], unowned: ['admin'] }],
    ['readApi', { private: ['owner', 'manager', 'admin'], public: accounts, unowned: ['admin'] }],
    ['readFile', { private: ['owner', 'manager', 'admin'], public: accounts, unowned: ['admin'] }],
  ])('%s allows only those it names', (rule, expected) => {
    for (const [name, ownership] of Object.entries(records)) {
      expect([name, allowed(rule, ownership)]).toEqual([name, expected[name as keyof typeof records]]);
    }
  });

  it('let everyone, or only Admins, create Users and Organizations, as the settings say', () => {
    expect([allowed('createUser', {}, open), allowed('createUser', {}, closed)]).toEqual([everyone, ['admin']]);
    expect(allowed('createOrganization', {}, open)).toEqual(expect.arrayContaining(accounts));
    expect(allowed('createOrganization', {}, closed)).toEqual(['admin']);
  });

  it('require a token, except where anyone may call', () => {
    const tokens = (settings: Settings): Record<string, string> => {
      const rules = Object.entries<AccessRule>(accessRules).map(([name, rule]) => [
        name,
        rule.token?.(settings) ?? 'required',
      ]);
      return Object.fromEntries(rules.filter(([, token]) => token !== 'required'));
    };
    expect(tokens(open)).toEqual({ anyone: 'ignored', createUser: 'optional' });
    expect(tokens(closed)).toEqual({ anyone: 'ignored' });
  });

  it('say who may call, for the 403 and the documentation', () => {
    for (const rule of Object.values<AccessRule>(accessRules)) expect(rule.who).toMatch(/^[a-z].*[^.]$/);
    for (const { note } of Object.values<AccessRule>(accessRules)) expect(note ?? 'A.').toMatch(/^[A-Z].*\.$/);
  });
});
