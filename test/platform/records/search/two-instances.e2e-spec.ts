import { join } from 'node:path';
import { Types } from 'mongoose';
import { SERVICE } from '../../../../scripts/lib/paths.mjs';
import type { AnyModel } from '../../../../src/platform/records/connection/any-model';
import { newRecord } from '../../../../src/platform/records/derived-fields';
import { keepSearchIndexes, searchIndexOf, searchLimits } from '../../../../src/platform/records/search/search-index';
import { type Organization, OrganizationSchema } from '../../../../src/registry/organizations/organization.schema';
import type { Client } from '../../../support/client';
import { databaseUri } from '../../../support/database';
import { Program } from '../../../support/program.mjs';
import { backdate, unique } from '../../../support/records';
import { ADMIN_SETTINGS, JWT_SECRET, Service, startService } from '../../../support/service';
import { until } from '../../../support/until';

/** Writes, and searches at the same time; `SEARCH_WRITES` sets another number. */
const WRITES = Number(process.env.SEARCH_WRITES ?? 300);
const AT_ONCE = 8;
const RECORDS = 600;
const CHANGED = 60;
const HOUR_MS = searchLimits.rebuildMs;

const MONGODB_URI = databaseUri('search');
let services: [Service, Service];
let ids: Types.ObjectId[];
afterEach(() => jest.restoreAllMocks());
beforeAll(async () => {
  searchLimits.records = 1;
  services = [await startService({ MONGODB_URI }), await startService({ MONGODB_URI })];
  ids = await insert(services[0]);
  for (const { connection } of services) await keepSearchIndexes(connection);
});
afterAll(async () => {
  await services[0].connection.dropDatabase();
  for (const service of services) await service.stop();
});

/** Organizations that were stored before the indexes were built. */
async function insert(service: Service): Promise<Types.ObjectId[]> {
  const model = service.model('Organization');
  const createdBy = new Types.ObjectId();
  const all = Array.from({ length: RECORDS }, (_, at) => {
    const slug = { text: `slug-${at}`, base: `slug-${at}`, index: 0 };
    const fields = {
      name: `Fjord ${at}`,
      url: `https://fjord-${at}.example`,
      slug,
      slugs: [slug],
      managers: [],
      createdBy,
    };
    return newRecord<Organization>(OrganizationSchema, fields);
  });
  await model.insertMany(all);
  return all.map(({ _id }) => _id);
}

interface Response {
  readonly status: number;
  readonly body: {
    _id: string;
    name: string;
    description: string;
    data: { _id: string; name?: string; username?: string }[];
  };
}

/** Sends a request over a socket. */
async function send(
  service: Service,
  { token }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${await service.url()}${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Response['body'] };
}

/** The names of the records that a search of an instance finds; that of the first of them with `Fjord`. */
async function found(service: Service, q: string, client = service.admin, path = '/organizations'): Promise<string[]> {
  const { body } = await send(service, client, 'GET', `${path}?limit=100&q=${encodeURIComponent(q)}`);
  return body.data.map(({ name, username }) => name ?? username ?? '');
}

/** Counts the reads of an instance that look for texts in all records. */
function countPlainReads({ connection }: Service): { count: number } {
  const reads = { count: 0 };
  const { collection } = connection.model('Organization');
  const command = connection.db!.command.bind(connection.db);
  jest.spyOn(connection.db!, 'command').mockImplementation((one, ...others) => {
    if (one.find === collection.name && JSON.stringify(one.filter).includes('$regex')) reads.count += 1;
    return command(one, ...others);
  });
  return reads;
}

it(`A search finds what another instance has stored just before, and nothing that it has replaced (${WRITES} writes)`, async () => {
  const plain = services.map(countPlainReads);
  const missed: string[] = [];
  let written = 0;
  let searched = 0;
  const search = async (service: Service, q: string, _id: string, isFound: boolean): Promise<void> => {
    const { status, body } = await send(service, service.admin, 'GET', `/organizations?q=${q}`);
    searched += 1;
    if (status !== 200 || body.data.some((one) => one._id === _id) !== isFound)
      missed.push(`${q} ${status} ${isFound}`);
  };
  const change = async (at: number): Promise<void> => {
    const [writer, reader] = at % 2 ? services : [services[1], services[0]];
    const path = `/organizations/${String(ids[at % CHANGED])}`;
    const { body } = await send(writer, writer.admin, 'GET', path);
    const description = `net ${unique()}`;
    const { status } = await send(writer, writer.admin, 'PUT', path, { ...body, description });
    if (status !== 200) return;
    written += 1;
    await search(reader, description, body._id, true);
    if (body.description !== '') await search(reader, body.description, body._id, false);
  };
  let started = 0;
  let ended = 0;
  const rebuild = async (): Promise<void> => {
    while (ended < WRITES) {
      searchLimits.rebuildMs = 0;
      for (const { connection } of services) await keepSearchIndexes(connection);
      searchLimits.rebuildMs = HOUR_MS;
      const next = ended + WRITES / 10;
      await until(() => ended >= Math.min(next, WRITES));
    }
  };
  const writeAll = async (): Promise<void> => {
    for (; started < WRITES; ended += 1) await change((started += 1));
  };
  await Promise.all([rebuild(), ...Array.from({ length: AT_ONCE }, writeAll)]);
  expect(missed).toEqual([]);
  expect(written).toBeGreaterThan(WRITES / 2);
  expect(plain.map(({ count }) => count)).toEqual([0, 0]);
  expect(searched).toBeGreaterThan(written);
});

it('Searches with an index find what a read of all records finds, page by page', async () => {
  const [{ connection }, plain] = [services[0], await startService({ MONGODB_URI })];
  const { count } = countPlainReads(services[0]);
  for (const q of ['fjord', 'fjord 1', 'fjord 59', '1.ex', 'nothing', 'ord-7', '.', '-5', 'FJØRD']) {
    for (const query of [
      '',
      '&sort=-_id',
      '&skip=3',
      `&after=${String(ids[300])}`,
      '&externalId=x',
      `&id=${String(ids[7])}`,
    ])
      for (const prefer of [undefined, 'count=exact']) {
        const path = `/organizations?limit=7&q=${encodeURIComponent(q)}${query}`;
        const [one, other] = await Promise.all([services[0], plain].map(({ admin }) => admin.get(path, { prefer })));
        expect({ path, body: one!.body, headers: one!.headers.link }).toEqual({
          path,
          body: other!.body,
          headers: other!.headers.link,
        });
        expect(one!.headers['preference-applied']).toBe(other!.headers['preference-applied']);
      }
  }
  expect(searchIndexOf(connection.models.Organization as AnyModel).isBuilt).toBe(true);
  expect(count).toBe(0);
  await plain.stop();
});

it('A search by somebody else’s e-mail address finds them for Admins only, and one’s own for everybody', async () => {
  const [a] = services;
  const accounts = await a.accountsOf(3);
  await keepSearchIndexes(a.connection);
  const [ada, bob] = accounts as [Client, Client];
  const address = ada.user.email;
  expect(await found(a, address, a.admin, '/users')).toEqual([ada.user.username]);
  expect(await found(a, address, ada, '/users')).toEqual([ada.user.username]);
  expect(await found(a, address, bob, '/users')).toEqual([]);
  const all = accounts.map(({ user }) => user.username);
  expect((await found(a, 'roster.example', a.admin, '/users')).sort()).toEqual(['admin', ...all].sort());
  expect(await found(a, 'roster.example', bob, '/users')).toEqual([bob.user.username]);
});

describe('clocks that differ', () => {
  it('leave out nothing that an instance has stored whose clock is minutes behind', async () => {
    const env = { NODE_ENV: 'test', LOG_LEVEL: 'info', PORT: '0', JWT_SECRET, ...ADMIN_SETTINGS, MONGODB_URI };
    const shifted = { ...env, CLOCK_SHIFT_MS: '-300000' };
    const program = new Program(['--require', join(__dirname, '../../../support/shifted-clock.cjs'), SERVICE], shifted);
    const [, url = ''] = await program.wrote(/ready at (http:\/\/127\.0\.0\.1:\d+)/);
    const [a] = services;
    const description = `behind ${unique()}`;
    const _id = String(ids[9]);
    await backdate(a, 'Organization', _id);
    expect(await found(a, description)).toEqual([]);
    const { body } = await send(a, a.admin, 'GET', `/organizations/${_id}`);
    const headers = { authorization: `Bearer ${a.admin.token}`, 'content-type': 'application/json' };
    const payload = JSON.stringify({ ...body, description });
    const put = await fetch(`${url}/organizations/${_id}`, { method: 'PUT', headers, body: payload });
    expect(put.status).toBe(200);
    expect(await found(a, description)).toEqual([body.name]);
    expect(await program.stop()).toBe(0);
  });

  it('of a database that does not tell its time may differ by 20 seconds; beyond that the next build finds a record', async () => {
    const [a] = services;
    const write = async (at: number, description: string, secondsAgo: number): Promise<void> => {
      const updatedAt = new Date(Date.now() - secondsAgo * 1000);
      const searchText = description;
      await a
        .model('Organization')
        .updateOne({ _id: ids[at] }, { $set: { description, searchText, updatedAt }, $inc: { revision: 1 } });
    };
    await found(a, 'anything');
    await write(20, 'twenty seconds', 20);
    await write(21, 'five minutes', 300);
    expect(await found(a, 'twenty seconds')).toHaveLength(1);
    expect(await found(a, 'five minutes')).toEqual([]);
    searchLimits.rebuildMs = 0;
    await keepSearchIndexes(a.connection);
    searchLimits.rebuildMs = HOUR_MS;
    expect(await found(a, 'five minutes')).toHaveLength(1);
  });
});
