import { isDeepStrictEqual } from 'node:util';
import { createConnection } from 'mongoose';
import type { AnyModel } from '../../src/platform/records/driver/any-model';
import { connectionOptions } from '../../src/platform/records/driver/connection-options';
import { DATA_VERSION, recordVersion } from '../../src/platform/records/start/data-version';
import { newRecord } from '../../src/platform/records/schema/derived-fields';
import { OrganizationSchema } from '../../src/registry/organizations/organization.schema';
import { checkData } from '../../src/commands/check-data/check-data';
import { BREAKS, Collections, collectionsOf, createWorld, World } from './check-data/breaks';
import { Paper } from '../support/paper';
import { Program } from '../support/program.mjs';
import { startCommand } from '../support/programs';
import { JWT_SECRET, useService } from '../support/service';

const service = useService();
let world: World;
let db: Collections;
/** What is stored before each test. */
let sound: Record<string, unknown[]>;
beforeAll(async () => {
  db = collectionsOf(service);
  world = await createWorld(service);
  sound = await service.contents();
});
afterEach(async () => {
  const stored = await service.contents();
  for (const model of models()) {
    const { name } = model.collection;
    const isSound = isDeepStrictEqual(stored[name], sound[name]) && (await model.diffIndexes()).toCreate.length === 0;
    if (isSound) continue;
    // Not only the records: the embedded database keeps what a unique index had of a changed record.
    await model.collection.drop();
    await model.createCollection();
    await model.createIndexes();
    if (sound[name]!.length > 0) await model.collection.insertMany(sound[name] as object[]);
  }
  await recordVersion(service.connection, { version: DATA_VERSION, readableFrom: 0 });
});

const models = (): AnyModel[] => Object.values(service.connection.models) as AnyModel[];

/** What the command reports, and how many broken invariants are left. */
async function run(connection = service.connection): Promise<{ left: number; lines: string[]; progress: string }> {
  const [report, progress] = [new Paper(), new Paper()];
  const left = await checkData(connection, { report, progress });
  return { left, lines: report.text.split('\n').slice(0, -1), progress: progress.text };
}

it('finds nothing in what the service wrote', async () => {
  const { left, lines, progress } = await run();
  expect([left, lines]).toEqual([0, []]);
  expect(progress).toContain('✔ Organization: 2 checked, 0 broken invariants\n');
});

it.each(BREAKS)('names $what', async (broken) => {
  await broken.break(db, world.ids);
  const { left, lines } = await run();
  expect(lines).toEqual(broken.lines(world.texts).map((line) => `✖ ${line}`));
  expect(left).toBe(lines.length);
});

it('names records that have the same name or slug', async () => {
  const { nets, other } = world.texts;
  const { nameKey, slugs } = (await db.organizations.findOne({ _id: world.ids.nets }))!;
  for (const index of ['nameKey_1', 'slugs.text_1']) await db.organizations.dropIndex(index);
  await db.organizations.updateOne({ _id: world.ids.other }, { $set: { nameKey }, $push: { slugs: slugs[0]! } });
  const { lines } = await run();
  expect(lines).toEqual([
    '✖ Organization: the index of nameKey is missing',
    '✖ Organization: the index of slugs.text is missing',
    `✖ Organization: nameKey "nets & sons": the same in ${nets}, ${other}`,
    `✖ Organization: slugs.text "nets-sons": the same in ${nets}, ${other}`,
    `✖ Organization ${other}: nameKey is not what the other fields give`,
  ]);
});

type Reply = { cursor?: { ns: string; firstBatch?: unknown[]; nextBatch?: unknown[] } };

it('reads at most 200 records at a time', async () => {
  const other = (await db.organizations.findOne({ _id: world.ids.other }))!;
  const { url, description, managers } = other;
  const many = Array.from({ length: 1100 }, (_, number) => {
    const slug = { text: `many-${number}`, base: `many-${number}`, index: 0 };
    const fields = { name: `Many ${number}`, url, description, managers, slug, slugs: [slug] };
    return { ...other, ...newRecord(OrganizationSchema, fields) };
  });
  await db.organizations.insertMany(many);
  const options = { ...connectionOptions, monitorCommands: true };
  const connection = await createConnection(service.databaseUri, options).asPromise();
  for (const { modelName, schema } of models()) connection.model(modelName, schema);
  const reads: { collection: string; records: number }[] = [];
  connection.getClient().on('commandSucceeded', ({ reply }) => {
    const { ns, firstBatch, nextBatch = firstBatch } = (reply as Reply).cursor ?? {};
    if (nextBatch) reads.push({ collection: ns!.split('.')[1]!, records: nextBatch.length });
  });
  expect((await run(connection)).lines).toEqual([]);
  await connection.close();
  const readsOf = (name: string) => reads.filter(({ collection }) => collection === name).map(({ records }) => records);
  const organizations = readsOf('organizations');
  expect(organizations.reduce((sum, records) => sum + records, 0)).toBeGreaterThanOrEqual(many.length);
  expect(Math.max(...organizations)).toBe(200);
  // Managers are looked up for 200 Organizations at a time, not for each.
  expect(readsOf('users').length).toBeLessThan(20);
});

test('npm run check:data ends with 1 while an invariant is broken', async () => {
  const start = (): Program => startCommand({ MONGODB_URI: service.databaseUri, JWT_SECRET }, 'check:data');
  await BREAKS.find(({ what }) => what === 'a featured API that is gone')!.break(db, world.ids);
  const check = start();
  expect(await check.end()).toBe(1);
  expect(check.errors).toMatch(/✖ Broken invariants: 1\.\n$/);
});
