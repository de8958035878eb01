import fc from 'fast-check';
import { Types } from 'mongoose';
import { newRecord } from '../../src/platform/records/schema/derived-fields';
import { searchKey } from '../../src/platform/base/text/case-fold';
import { isAllowedText, normalizeText } from '../../src/platform/base/text/text';
import { anyCharacter } from '../support/any-text';
import type { Client } from '../support/client';
import { idsOf } from '../support/records';
import { useService } from '../support/service';

/** Number of searches, over all lists; `PROPERTY_RUNS` sets another one. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
/** Fewer than a page holds, so that one response shows all. */
const RECORDS = 90;
const SEED = 20260316;

/** Characters whose case, composition or meaning in a pattern could go wrong; and any other. */
const unit = fc.oneof(
  fc.constantFrom(
    ...'ßẞſKkÅåΣσςİıiIǅǆﬀﬃΐΰÄäüÜ½①Ａ´’ʼ\u0307\u00a0\u2013\u00ad.*+?^$()[]{}|\\/-#&"<% \u0308\u0301\u0345',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  anyCharacter,
);
const text = fc
  .array(unit, { minLength: 1, maxLength: 12 })
  .map((units) => normalizeText(units.join(''), 255))
  .filter((one) => one !== '' && isAllowedText(one, 'name'));

/** The searched fields of each record of a list, by id. */
type Fields = Map<string, string[]>;

interface List {
  readonly path: string;
  readonly fields: Fields;
  /** Who searches; an Admin without it. */
  readonly by?: Client;
}

const service = useService();
let admin: Client;
const lists: List[] = [];
const texts = fc.sample(text, { numRuns: 3 * RECORDS, seed: SEED });
beforeAll(async () => {
  admin = service.admin;
  const account = await service.account();
  await service.model('User').updateMany({}, { searchText: '' });
  const names = ['name', 'url', 'description'];
  const users = await insert('User', ['username', 'companyName', 'email'], { passwordHash: '-' });
  const own = texts.slice(0, 3);
  await service.model('User').updateOne({ _id: account.id }, { searchText: own.map(searchKey).join('\n') });
  const others = [...users].map(([id, searched]) => [id, searched.slice(0, 2)] as const);
  lists.push({ path: '/users', fields: new Map([[account.id, own], ...users]) });
  lists.push({ path: '/users', fields: new Map([[account.id, own], ...others]), by: account });
  lists.push({ path: '/organizations', fields: await insert('Organization', names, { managers: [] }) });
  lists.push({
    path: '/apis',
    fields: await insert('Api', names, { isPublic: true, organizationId: new Types.ObjectId() }),
  });
  lists.push(await insertManagers(users));
});

/** Writes records into the database: their searched fields have any text, and what must be unique a number. */
async function insert(name: string, searched: string[], fields: object): Promise<Fields> {
  const model = service.model(name);
  const shown: Fields = new Map();
  const records = Array.from({ length: RECORDS }, (_, at) => {
    const own = Object.fromEntries(searched.map((field, index) => [field, texts[3 * at + index]!]));
    const slug = { text: `slug-${at}`, base: `slug-${at}`, index: 0 };
    const keys = { nameKey: `key-${at}`, usernameKey: `key-${at}`, emailKey: `key-${at}` };
    const all: object = { ...own, ...fields, slug, slugs: [slug], createdBy: new Types.ObjectId() };
    const record = newRecord(model.schema, all);
    shown.set(String(record._id), Object.values(own));
    return { ...record, ...keys };
  });
  await model.insertMany(records);
  return shown;
}

/** All those Users manage the first Organization; of a Manager the e-mail address is not searched. */
async function insertManagers(users: Fields): Promise<(typeof lists)[number]> {
  const organization = await service.model('Organization').findOne({}, { _id: 1 });
  const managers = [...users.keys()].map((id) => ({
    _id: new Types.ObjectId(id),
    createdBy: organization?._id,
    createdAt: new Date(),
  }));
  await service.model('Organization').updateOne({ _id: organization?._id }, { managers });
  const fields = new Map([...users].map(([id, searched]) => [id, searched.slice(0, 2)]));
  return { path: `/organizations/${String(organization?._id)}/managers`, fields };
}

/** Search texts: anything, or part of what is there in another form. */
const q = fc
  .oneof(
    text,
    fc
      .tuple(fc.constantFrom(...texts), fc.nat(12), fc.nat(12), fc.constantFrom('NFC', 'NFD', 'upper', 'lower', 'key'))
      .map(([whole, start, length, form]) => {
        const part = Array.from(whole)
          .slice(start, start + 1 + length)
          .join('');
        if (form === 'upper') return part.toUpperCase();
        if (form === 'lower') return part.toLowerCase();
        return form === 'key' ? searchKey(part) : part.normalize(form);
      }),
  )
  .filter((one) => searchKey(one).trim() !== '' && Array.from(one).length <= 100 && !/\p{Cc}|\p{Cs}/u.test(one));

it(`q finds a record where searchKey(field) contains searchKey(q), and no other (${RUNS} searches)`, async () => {
  const listAt = fc.nat(lists.length - 1);
  const search = fc.asyncProperty(q, listAt, async (sought, at) => {
    const { path, fields, by = admin } = lists[at]!;
    const matches = ([, searched]: [string, string[]]): boolean =>
      searched.some((field) => searchKey(field).includes(searchKey(sought)));
    const expected = [...fields].filter(matches).map(([id]) => id);
    const response = await by.get(`${path}?limit=100&q=${encodeURIComponent(sought)}`);
    expect(idsOf(response)).toEqual(expected);
  });
  await fc.assert(search, { numRuns: RUNS, seed: SEED });
});
