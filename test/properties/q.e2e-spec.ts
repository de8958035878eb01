import fc from 'fast-check';
import { Types } from 'mongoose';
import { derivedFields, searchText } from '../../src/database/derived-fields';
import { caseFold } from '../../src/validation/case-fold';
import { isAllowedText, normalizeText } from '../../src/validation/text';
import { UserSchema } from '../../src/users/user.schema';
import type { Client } from '../support/client';
import { idsOf } from '../support/records';
import { Service, startService } from '../support/service';

/** How many searches are tried, over all lists; `PROPERTY_RUNS` sets another number. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
/** Fewer than a page holds, so that one response shows all. */
const RECORDS = 90;
const SEED = 20260316;

/** Characters whose case, composition or meaning in a pattern could go wrong; and any other. */
const unit = fc.oneof(
  fc.constantFrom(...'ßẞſKkÅåΣσςİıiIǅǆﬀﬃΐΰÄäüÜ.*+?^$()[]{}|\\/-#&"<% \u0308\u0301\u0345'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc
  .array(unit, { minLength: 1, maxLength: 12 })
  .map((units) => normalizeText(units.join(''), 255))
  .filter((one) => one !== '' && isAllowedText(one, 'name'));

interface Sought {
  readonly path: string;
  /** The searched fields by id. */
  readonly fields: Map<string, string[]>;
}

let service: Service;
let admin: Client;
const lists: Sought[] = [];
const texts = fc.sample(text, { numRuns: 3 * RECORDS, seed: SEED });
beforeAll(async () => {
  service = await startService();
  admin = service.admin;
  await service.model('User').updateOne({}, { searchText: '' });
  const users = await insertUsers();
  lists.push({ path: '/users', fields: users }, await insertOrganizations(), await insertApis());
  lists.push(await insertManagers(users));
});
afterAll(() => service.stop());

const take = (at: number): [string, string, string] => [texts[3 * at]!, texts[3 * at + 1]!, texts[3 * at + 2]!];
const numbers = Array.from({ length: RECORDS }, (_, at) => at);
const base = { referenceCount: 0, revision: 0, createdAt: new Date(), updatedAt: new Date() };

async function insertUsers(): Promise<Map<string, string[]>> {
  const records = numbers.map((at) => {
    const [companyName, local] = take(at);
    const shown = { username: `user-${at}`, companyName, email: `${local.replace(/[\s@]/g, '')}@${at}.example` };
    const derived = derivedFields(UserSchema, shown);
    return { _id: new Types.ObjectId(), ...shown, ...derived, ...base, passwordHash: '-', roles: [], sessions: [] };
  });
  await service.model('User').collection.insertMany(records);
  return new Map(records.map(({ _id, username, companyName, email }) => [String(_id), [username, companyName, email]]));
}

function named(at: number): { _id: Types.ObjectId; fields: string[]; stored: object } {
  const fields = take(at);
  const [name, url, description] = fields;
  const slug = { text: `slug-${at}`, base: `slug-${at}`, index: 0 };
  const _id = new Types.ObjectId();
  const stored = { _id, name, nameKey: `name-${at}`, url, description, slug, slugs: [slug], ...base };
  return { _id, fields, stored: { ...stored, searchText: searchText(fields), createdBy: _id } };
}

async function insertOrganizations(): Promise<Sought> {
  const records = numbers.map(named);
  const rest = { managers: [], featuredApiIds: [], organizationLogoFileId: null, apiCount: 0 };
  await service.model('Organization').collection.insertMany(records.map(({ stored }) => ({ ...stored, ...rest })));
  return { path: '/organizations', fields: new Map(records.map(({ _id, fields }) => [String(_id), fields])) };
}

async function insertApis(): Promise<Sought> {
  const records = numbers.map(named);
  const rest = { lifecycleStatus: 'design', isPublic: true, documentationUrl: null };
  const apis = records.map(({ stored }) => ({ ...stored, ...rest, organizationId: new Types.ObjectId() }));
  await service.model('Api').collection.insertMany(apis);
  return { path: '/apis', fields: new Map(records.map(({ _id, fields }) => [String(_id), fields])) };
}

/** All those Users manage the first Organization; of a Manager the e-mail address is not searched. */
async function insertManagers(users: Map<string, string[]>): Promise<Sought> {
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

/** What a searcher may have typed: anything, or part of what is there in another form. */
const q = fc
  .oneof(
    text,
    fc
      .tuple(fc.constantFrom(...texts), fc.nat(12), fc.nat(12), fc.constantFrom('NFC', 'NFD', 'upper', 'lower', 'fold'))
      .map(([whole, start, length, form]) => {
        const part = Array.from(whole)
          .slice(start, start + 1 + length)
          .join('');
        if (form === 'upper') return part.toUpperCase();
        if (form === 'lower') return part.toLowerCase();
        return form === 'fold' ? caseFold(part) : part.normalize(form);
      }),
  )
  .filter((one) => one !== '' && Array.from(one).length <= 100 && !/\p{Cc}|\p{Cs}/u.test(one));

it(`q finds a record where fold(field) contains fold(q), and no other (${RUNS} searches)`, async () => {
  const listAt = fc.nat(3);
  const search = fc.asyncProperty(q, listAt, async (sought, at) => {
    const { path, fields } = lists[at]!;
    const matches = ([, searched]: [string, string[]]): boolean =>
      searched.some((field) => caseFold(field).includes(caseFold(sought)));
    const expected = [...fields].filter(matches).map(([id]) => id);
    const response = await admin.get(`${path}?limit=100&q=${encodeURIComponent(sought)}`);
    expect(idsOf(response)).toEqual(expected);
  });
  await fc.assert(search, { numRuns: RUNS, seed: SEED });
}, 120_000);
