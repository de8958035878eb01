import { mongo, type Types } from 'mongoose';
import type { AnyModel } from '../../../../src/platform/records/driver/any-model';
import { AllRecords } from '../../../../src/platform/records/records.module';
import type { SearchIndexes } from '../../../../src/platform/records/search/search-index';
import type { Client } from '../../../support/client';
import { organizationBody } from '../../../support/records';
import { startService, useService } from '../../../support/service';
import { catchWarnings } from '../../../support/warnings';
import { countPlainReads, found, insertOrganizations, rebuild } from './support';

const service = useService();
const MONGODB_URI = service.databaseUri;
let ids: Types.ObjectId[];
let indexes: SearchIndexes;
const isBuilt = (): boolean => indexes.of(service.connection.models.Organization as AnyModel).isBuilt;
beforeAll(async () => {
  ids = await insertOrganizations(service);
  ({ indexes } = service.app.get(AllRecords));
  indexes.limits.records = 1;
  await indexes.keep();
});
afterEach(() => jest.restoreAllMocks());

it('Searches with an index find what a read of all records finds, page by page', async () => {
  const plain = await startService({ MONGODB_URI });
  const reads = [service, plain].map((one) => countPlainReads(one));
  const queries = [
    '',
    '&sort=-_id',
    '&sort=name',
    '&sort=-updatedAt&skip=3',
    '&skip=3',
    `&after=${String(ids[300])}`,
    '&externalId=x',
    `&id=${String(ids[7])}`,
  ];
  const compare = async (q: string, query: string, prefer?: string): Promise<void> => {
    const path = `/organizations?limit=7&q=${encodeURIComponent(q)}${query}`;
    const responses = await Promise.all([service, plain].map(({ admin }) => admin.get(path, { prefer })));
    const [one, other] = responses.map(({ body, headers }) => {
      return { path, body, link: headers.link, applied: headers['preference-applied'] };
    });
    expect(one).toEqual(other);
  };
  const texts = ['fjord', 'fjord 1', 'fjord 59', '1.ex', 'nothing', 'ord-7', '.', '-5', 'FJØRD'];
  for (const q of texts) for (const query of queries) await compare(q, query);
  expect(isBuilt()).toBe(true);
  expect(reads.map(({ count }) => count > 0)).toEqual([false, true]);
  for (const q of texts) for (const query of queries) await compare(q, query, 'count=exact');
  await plain.stop();
});

it('Only Admins find others by e-mail address, and everybody finds their own account', async () => {
  const accounts = await service.accountsOf(3);
  await indexes.keep();
  const [ada, bob] = accounts as [Client, Client];
  const address = ada.user.email;
  expect(await found(service, address, service.admin, '/users')).toEqual([ada.user.username]);
  expect(await found(service, address, ada, '/users')).toEqual([ada.user.username]);
  expect(await found(service, address, bob, '/users')).toEqual([]);
  const all = accounts.map(({ user }) => user.username);
  expect((await found(service, 'roster.example', service.admin, '/users')).sort()).toEqual(['admin', ...all].sort());
  expect(await found(service, 'roster.example', bob, '/users')).toEqual([bob.user.username]);
});

describe('searches read all records', () => {
  const [q, name] = ['fjord-30.', 'Fjord 30'];
  let plain: { count: number };
  beforeEach(async () => {
    await indexes.keep();
    plain = countPlainReads(service);
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(0);
  });

  it('once when an index cannot be brought up to date', async () => {
    const { collection } = service.connection.model('Organization');
    jest.spyOn(collection, 'find').mockImplementationOnce(() => {
      throw new mongo.MongoNetworkError('gone');
    });
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(1);
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(1);
  });

  it('when an index would take too much memory without many records, which is logged, until it fits', async () => {
    const { memory, leftOut } = indexes.limits;
    const { logged } = catchWarnings();
    indexes.limits.records = 10_000;
    await rebuild(service);
    Object.assign(indexes.limits, { records: 1, memory: 0, leftOut: 1 });
    await rebuild(service);
    await logged(/^Searches read all organizations: their texts would take too much memory$/);
    await service.admin.put(`/organizations/${String(ids[40])}`, organizationBody());
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(1);
    expect(isBuilt()).toBe(false);
    Object.assign(indexes.limits, { memory, leftOut });
    await indexes.keep();
    expect(isBuilt()).toBe(true);
  });

  it('while more records are written in a minute than a refresh reads', async () => {
    const { written } = indexes.limits;
    indexes.limits.written = 1;
    for (const id of ids.slice(50, 52)) await service.admin.put(`/organizations/${String(id)}`, organizationBody());
    expect(await found(service, q)).toEqual([name]);
    await indexes.keep();
    expect(isBuilt()).toBe(false);
    indexes.limits.written = written;
    await indexes.keep();
    expect(isBuilt()).toBe(true);
    expect(plain.count).toBe(1);
  });

  it('when there are only a few records, so a small service keeps no index', async () => {
    indexes.limits.records = 10_000;
    await rebuild(service);
    expect(isBuilt()).toBe(false);
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(1);
    indexes.limits.records = 1;
  });
});
