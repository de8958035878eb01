import { totalmem } from 'node:os';
import { Types } from 'mongoose';
import type { AnyModel } from '../../../../src/platform/records/driver/any-model';
import { AllRecords } from '../../../../src/platform/records/records.module';
import { newRecord } from '../../../../src/platform/records/schema/derived-fields';
import type { SearchIndexes } from '../../../../src/platform/records/search/search-index';
import { type Api, ApiSchema } from '../../../../src/registry/apis/api.schema';
import { createOrganization } from '../../../support/records';
import { useService } from '../../../support/service';
import { catchWarnings } from '../../../support/warnings';
import { countPlainReads, rebuild } from './support';

const APIS = 60;
/** The index has room for the texts of one of two Organizations (characters). */
const ROOM = 12_000;

const service = useService();
let indexes: SearchIndexes;
let large: string;
let small: string;
let names: string[];
const isBuilt = (): boolean => indexes.of(service.connection.models.Api as AnyModel).isBuilt;

beforeAll(async () => {
  ({ indexes } = service.app.get(AllRecords));
  indexes.limits.records = 1;
  indexes.limits.memory = ROOM / Math.min(process.constrainedMemory() || Infinity, totalmem());
  [large, small] = [(await createOrganization(service.admin))._id, (await createOrganization(service.admin))._id];
  const all = Array.from({ length: APIS }, (_, at) => {
    const slug = { text: `api-${at}`, base: `api-${at}`, index: 0 };
    const isLarge = at % 2 === 0;
    const description = `net ${isLarge ? 'words '.repeat(300) : 'word'}`;
    const own = { name: `Api ${String((at * 7) % APIS).padStart(2, '0')}`, slug, slugs: [slug], description };
    const organizationId = new Types.ObjectId(isLarge ? large : small);
    return newRecord<Api>(ApiSchema, { ...own, organizationId, isPublic: true, createdBy: new Types.ObjectId() });
  });
  await service.model('Api').insertMany(all);
  names = all.map(({ name }) => name);
});

/** The names of the APIs that a search finds, page by page. */
async function found(q: string, query = ''): Promise<string[]> {
  const all: string[] = [];
  for (let [skip, isLast] = [0, false]; !isLast; skip += 7) {
    const { body } = await service.admin.get(`/apis?limit=7&skip=${skip}&q=${encodeURIComponent(q)}${query}`);
    all.push(...(body.data as { name: string }[]).map(({ name }) => name));
    isLast = body.data.length < 7;
  }
  return all;
}

it('A search in every order finds the APIs that the index leaves out, and the log names their Organization', async () => {
  const { logged } = catchWarnings();
  await rebuild(service);
  await logged(new RegExp(`^Searches read the apis with these organizationId from the database.*: ${large}$`));
  const plain = countPlainReads(service, 'Api');
  expect(await found('net word')).toEqual(names);
  expect(await found('net word', '&sort=-_id')).toEqual(names.toReversed());
  expect(await found('net word', '&sort=name')).toEqual(names.toSorted());
  expect(await found('net words')).toEqual(names.filter((_, at) => at % 2 === 0));
  expect(await found(names[4]!)).toEqual([names[4]]);
  expect(await found(names[5]!)).toEqual([names[5]]);
  const { headers } = await service.admin.get('/apis?q=net+word&limit=1', { prefer: 'count=exact' });
  expect(headers['x-total-count']).toBe(String(APIS));
  expect(plain.count).toBe(0);
});

it('An Organization whose new API does not fit is left out until the next build, and the index stays', async () => {
  const description = 'zander '.repeat(140);
  const plain = countPlainReads(service, 'Api');
  for (let number = 10; number < 20; number += 1) {
    await service.admin.post(`/organizations/${small}/apis`, { name: `Zander ${number}`, description, isPublic: true });
    expect(await found('zander')).toHaveLength(number - 9);
    expect(isBuilt()).toBe(true);
  }
  expect(await found('net word')).toEqual(names);
  expect(plain.count).toBe(0);
});
