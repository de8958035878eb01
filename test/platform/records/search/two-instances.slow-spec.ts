import type { Types } from 'mongoose';
import { AllRecords } from '../../../../src/platform/records/records.module';
import { databaseUri } from '../../../support/database';
import { idsOf, unique } from '../../../support/records';
import { Service, startService } from '../../../support/service';
import { until } from '../../../support/until';
import { countPlainReads, found, insertOrganizations, rebuild } from './support';

/** Writes, and searches at the same time; `SEARCH_WRITES` sets another number. */
const WRITES = Number(process.env.SEARCH_WRITES ?? 150);
const AT_ONCE = 8;
const CHANGED = 60;

const MONGODB_URI = databaseUri('search');
let services: [Service, Service];
let ids: Types.ObjectId[];
beforeAll(async () => {
  services = [await startService({ MONGODB_URI }), await startService({ MONGODB_URI })];
  ids = await insertOrganizations(services[0]);
  for (const { app } of services) await app.get(AllRecords).indexes.keep();
});
afterAll(async () => {
  await services[0].connection.dropDatabase();
  for (const service of services) await service.stop();
});

it(`A search finds what another instance has stored just before, and nothing that it has replaced (${WRITES} writes)`, async () => {
  const plain = services.map((one) => countPlainReads(one));
  const missed: string[] = [];
  let written = 0;
  let searched = 0;
  const search = async (service: Service, q: string, _id: string, isFound: boolean): Promise<void> => {
    const { status, body } = await service.admin.get(`/organizations?q=${encodeURIComponent(q)}`);
    searched += 1;
    if (status !== 200 || idsOf({ body }).includes(_id) !== isFound) missed.push(`${q} ${status} ${isFound}`);
  };
  const change = async (at: number): Promise<void> => {
    const [writer, reader] = at % 2 ? services : [services[1], services[0]];
    const path = `/organizations/${String(ids[at % CHANGED])}`;
    const { body } = await writer.admin.get(path);
    const description = `net ${unique()}`;
    const { status } = await writer.admin.put(path, { ...body, description });
    if (status !== 200) return;
    written += 1;
    await search(reader, description, body._id, true);
    if (body.description !== '') await search(reader, body.description, body._id, false);
  };
  let started = 0;
  let ended = 0;
  const rebuildAgain = async (): Promise<void> => {
    while (ended < WRITES) {
      for (const service of services) await rebuild(service);
      const next = ended + WRITES / 10;
      await until(() => ended >= Math.min(next, WRITES));
    }
  };
  const writeAll = async (): Promise<void> => {
    for (; started < WRITES; ended += 1) await change((started += 1));
  };
  await Promise.all([rebuildAgain(), ...Array.from({ length: AT_ONCE }, writeAll)]);
  expect(missed).toEqual([]);
  expect(written).toBeGreaterThan(WRITES / 2);
  expect(plain.map(({ count }) => count)).toEqual([0, 0]);
  expect(searched).toBeGreaterThan(written);
});

describe('clocks that differ', () => {
  it('may differ by 50 seconds; beyond that, the next build finds a record', async () => {
    const [a] = services;
    const write = async (at: number, description: string, secondsAgo: number): Promise<void> => {
      const updatedAt = new Date(Date.now() - secondsAgo * 1000);
      const searchText = description;
      await a
        .model('Organization')
        .updateOne({ _id: ids[at] }, { $set: { description, searchText, updatedAt }, $inc: { revision: 1 } });
    };
    await found(a, 'anything');
    await write(20, 'fifty seconds', 50);
    await write(21, 'five minutes', 300);
    expect(await found(a, 'fifty seconds')).toHaveLength(1);
    expect(await found(a, 'five minutes')).toEqual([]);
    await rebuild(a);
    expect(await found(a, 'five minutes')).toHaveLength(1);
  });
});
