import { Types } from 'mongoose';
import { newRecord } from '../../../../src/platform/records/derived-fields';
import { searchLimits } from '../../../../src/platform/records/search/search-index';
import { SearchIndexes } from '../../../../src/platform/records/search/search-indexes';
import { type Organization, OrganizationSchema } from '../../../../src/registry/organizations/organization.schema';
import type { Client } from '../../../support/client';
import { databaseUri } from '../../../support/database';
import { unique } from '../../../support/records';
import { Service, startService } from '../../../support/service';

/** Writes, and searches at the same time; `SEARCH_WRITES` sets another number. */
const WRITES = Number(process.env.SEARCH_WRITES ?? 300);
const AT_ONCE = 8;
const RECORDS = 600;

const MONGODB_URI = databaseUri('search');
let services: [Service, Service];
let ids: Types.ObjectId[];
beforeAll(async () => {
  searchLimits.records = 1;
  services = [await startService({ MONGODB_URI }), await startService({ MONGODB_URI })];
  ids = await insert(services[0]);
  for (const { app } of services) await app.get(SearchIndexes).keep();
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
  readonly body: { _id: string; description: string; code?: number; data: { _id: string }[] };
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

/** Counts the reads of a service that look for texts in all records. */
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
    if (status !== 200 || (body.data as unknown as { _id: string }[]).some((one) => one._id === _id) !== isFound)
      missed.push(`${q} ${status} ${isFound}`);
  };
  const change = async (at: number): Promise<void> => {
    const [writer, reader] = at % 2 ? services : [services[1], services[0]];
    const path = `/organizations/${String(ids[at % ids.length])}`;
    const { body } = await send(writer, writer.admin, 'GET', path);
    const description = `net ${unique()}`;
    const { status } = await send(writer, writer.admin, 'PUT', path, { ...body, description });
    if (status !== 200) return;
    written += 1;
    await search(reader, description, body._id, true);
    if (body.description !== '') await search(reader, body.description, body._id, false);
  };
  let next = 0;
  let isDone = false;
  const rebuild = async (): Promise<void> => {
    searchLimits.rebuildMs = 0;
    while (!isDone) for (const { app } of services) await app.get(SearchIndexes).keep();
    searchLimits.rebuildMs = 3_600_000;
  };
  const rebuilding = rebuild();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < WRITES) await change((next += 1));
    }),
  );
  isDone = true;
  await rebuilding;
  expect(missed).toEqual([]);
  expect(written).toBeGreaterThan(WRITES / 2);
  // Those that came while an index was replaced.
  expect(plain[0]!.count + plain[1]!.count).toBeLessThan(searched / 10);
});
