import { mongo, type Types } from 'mongoose';
import type { AnyModel } from '../../../../src/platform/records/driver/any-model';
import {
  keepSearchIndexes,
  type SearchIndex,
  searchIndexOf,
  searchLimits,
} from '../../../../src/platform/records/search/search-index';
import type { Client } from '../../../support/client';
import { organizationBody } from '../../../support/records';
import { startService, useService } from '../../../support/service';
import { catchWarnings } from '../../../support/warnings';
import { countPlainReads, found, insertOrganizations } from './support';

const HOUR_MS = searchLimits.rebuildMs;

const service = useService();
const MONGODB_URI = service.databaseUri;
let ids: Types.ObjectId[];
beforeAll(async () => {
  searchLimits.records = 1;
  ids = await insertOrganizations(service);
  await keepSearchIndexes(service.connection);
});
afterEach(() => jest.restoreAllMocks());

it('Searches with an index find what a read of all records finds, page by page', async () => {
  const [{ connection }, plain] = [service, await startService({ MONGODB_URI })];
  const { count } = countPlainReads(service);
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
        const [one, other] = await Promise.all([service, plain].map(({ admin }) => admin.get(path, { prefer })));
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

it('Only Admins find others by e-mail address, and everybody finds their own account', async () => {
  const accounts = await service.accountsOf(3);
  await keepSearchIndexes(service.connection);
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
  const index = (): SearchIndex => searchIndexOf(service.connection.models.Organization as AnyModel);
  let plain: { count: number };
  beforeEach(async () => {
    await keepSearchIndexes(service.connection);
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

  it('when an index would take too much memory, which is logged, until it fits', async () => {
    const { memory } = searchLimits;
    const { logged } = catchWarnings();
    Object.assign(searchLimits, { memory: 0, rebuildMs: 0 });
    await keepSearchIndexes(service.connection);
    await logged(/^Searches read all organizations: their texts would take too much memory$/);
    Object.assign(searchLimits, { rebuildMs: HOUR_MS });
    await service.admin.put(`/organizations/${String(ids[40])}`, organizationBody());
    expect(await found(service, q)).toEqual([name]);
    expect(plain.count).toBe(1);
    expect(index().isBuilt).toBe(false);
    searchLimits.memory = memory;
    await keepSearchIndexes(service.connection);
    expect(index().isBuilt).toBe(true);
  });

  it('while more records are written in half a minute than a refresh reads', async () => {
    const { written } = searchLimits;
    searchLimits.written = 1;
    for (const id of ids.slice(50, 52)) await service.admin.put(`/organizations/${String(id)}`, organizationBody());
    expect(await found(service, q)).toEqual([name]);
    await keepSearchIndexes(service.connection);
    expect(index().isBuilt).toBe(false);
    searchLimits.written = written;
    await keepSearchIndexes(service.connection);
    expect(index().isBuilt).toBe(true);
    expect(plain.count).toBe(1);
  });

  it('when there are only a few records, so a small service keeps no index', async () => {
    searchLimits.records = 10_000;
    const service = await startService({ MONGODB_URI });
    await keepSearchIndexes(service.connection);
    expect(searchIndexOf(service.connection.models.Organization as AnyModel).isBuilt).toBe(false);
    expect(await found(service, q)).toEqual([name]);
    searchLimits.records = 1;
    await service.stop();
  });
});
