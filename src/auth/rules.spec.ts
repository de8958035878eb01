import { Types } from 'mongoose';
import type { Settings } from '../config/settings';
import type { Account } from './account';
import { RuleName, rules } from './rules';
import type { Found } from './target';

const me = new Types.ObjectId();
const somebody = new Types.ObjectId();
const accountOf = (isAdmin: boolean): Account => ({ _id: me, isAdmin, sessionId: new Types.ObjectId() });
const callers = { nobody: undefined, account: accountOf(false), admin: accountOf(true) };
const targets: Record<string, Found | undefined> = {
  none: undefined,
  mine: { record: {}, ownerId: new Types.ObjectId(me) },
  anothers: { record: {}, ownerId: somebody },
  managed: { record: {}, managerIds: [somebody, new Types.ObjectId(me)], isPublic: false },
  foreign: { record: {}, managerIds: [somebody], isPublic: false },
  published: { record: {}, managerIds: [somebody], isPublic: true },
};
const closed = { registration: 'admin', organizationCreation: 'admin' } as Settings;
const open = { registration: 'open', organizationCreation: 'accounts' } as Settings;

/** Whom a rule lets do what: `caller target`. Whatever is not listed is denied. */
const allowed: Record<RuleName, { closed: string[]; open: string[] }> = {
  anyone: always(Object.keys(callers)),
  account: always(['account', 'admin']),
  self: always(['admin', 'account mine']),
  creator: always(['admin', 'account mine']),
  manager: always(['admin', 'account managed']),
  reader: always(['admin', 'account managed', 'account published']),
  registrar: { closed: ['admin'], open: Object.keys(callers) },
  founder: { closed: ['admin'], open: Object.keys(callers) },
};

function always(whom: string[]): { closed: string[]; open: string[] } {
  return { closed: whom, open: whom };
}

const cases = Object.entries(rules).flatMap(([rule, { allows }]) =>
  Object.entries({ closed, open }).flatMap(([state, settings]) =>
    Object.entries(callers).flatMap(([caller, account]) =>
      Object.entries(targets).map(([name, target]) => {
        const whom = allowed[rule as RuleName][state as 'closed' | 'open'];
        const expected = whom.includes(caller) || whom.includes(`${caller} ${name}`);
        return { rule, state, caller, name, expected, given: () => allows({ account, target, settings }) };
      }),
    ),
  ),
);

describe('an access rule', () => {
  it.each(cases)('$rule, while all is $state: $caller on $name → $expected', ({ given, expected }) =>
    expect(given()).toBe(expected),
  );

  it('has no owner and no manager without an account, whatever the record leaves out', () => {
    const nobody = { account: undefined, settings: closed };
    expect(rules.self.allows({ ...nobody, target: { record: {} } })).toBe(false);
    expect(rules.manager.allows({ ...nobody, target: { record: {}, managerIds: [] } })).toBe(false);
  });

  it.each([
    ['anyone', 'ignored', 'ignored'],
    ['account', 'required', 'required'],
    ['self', 'required', 'required'],
    ['creator', 'required', 'required'],
    ['manager', 'required', 'required'],
    ['reader', 'required', 'required'],
    ['registrar', 'required', 'optional'],
    ['founder', 'required', 'required'],
  ] as const)('%s has credentials %s while all is closed, %s while all is open', (rule, whenClosed, whenOpen) => {
    expect(rules[rule].credentials(closed)).toBe(whenClosed);
    expect(rules[rule].credentials(open)).toBe(whenOpen);
  });

  it.each(Object.entries(rules))('%s says in a sentence who may', (_, { who }) =>
    expect(who).toMatch(/^[A-Z].{5,}\.$/),
  );
});
