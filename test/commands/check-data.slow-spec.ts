import { isDeepStrictEqual } from 'node:util';
import { createConnection } from 'mongoose';
import type { AnyModel } from '../../src/platform/records/driver/any-model';
import { connectionOptions } from '../../src/platform/records/driver/connection-options';
import { DATA_VERSION, recordVersion } from '../../src/platform/records/start/data-version';
import { newRecord } from '../../src/platform/records/schema/derived-fields';
import { OrganizationSchema } from '../../src/registry/organizations/organization.schema';
import { checkData, Repair } from '../../src/commands/check-data/check-data';
import { BREAKS, Collections, collectionsOf, createWorld, World } from './check-data/breaks';
import { GONE } from './check-data/gone';
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
async function run(
  repair: Repair = 'off',
  connection = service.connection,
): Promise<{ left: number; lines: string[]; progress: string }> {
  const [report, progress] = [new Paper(), new Paper()];
  const left = await checkData(connection, repair, { report, progress });
  return { left, lines: report.text.split('\n').slice(0, -1), progress: progress.text };
}

it('finds nothing in what the service wrote', async () => {
  const { left, lines, progress } = await run();
  expect([left, lines]).toEqual([0, []]);
  expect(progress).toContain('✔ Organization: 2 checked, 0 broken invariants\n');
});

it.each(BREAKS.filter(({ repair }) => !repair))('names $what', async (broken) => {
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

it('lists values that a request would be refused for today, which break no invariant', async () => {
  const { nets, shown, user } = world.texts;
  const old = { contactEmail: '<a@b.example>', contactPhone: '-----', url: 'https://a.example/<b>' };
  await db.organizations.updateOne({ _id: world.ids.nets }, { $set: old });
  await db.apis.updateOne(
    { _id: world.ids.shown },
    { $set: { tags: ['nets', 'Fish\u202e'], definitionUrl: 'http://x' } },
  );
  await db.users.updateOne({ _id: world.ids.user }, { $set: { companyName: 'x'.repeat(300) } });
  // What is derived from the values.
  await run('on');
  const { left, lines, progress } = await run();
  const email = 'it must be an e-mail address';
  const phone = 'it must be a telephone number: digits, spaces and + - ( ) . /, and "ext. 12" at its end';
  expect([left, lines]).toEqual([
    0,
    [
      `· User ${user}: companyName "${'x'.repeat(99)}… would be refused today: it must be at most 255 characters long`,
      `· Organization ${nets}: url "https://a.example/<b>" would be refused today: it has U+003C at position 19, which must be percent-encoded`,
      `· Organization ${nets}: contactEmail "<a@b.example>" would be refused today: ${email}`,
      `· Organization ${nets}: contactPhone "-----" would be refused today: ${phone}`,
      `· Api ${shown}: definitionType would be refused today: it is required with definitionUrl`,
      `· Api ${shown}: tags.1 "Fish\\u{202e}" would be refused today: it must have 1 to 40 characters of a–z, 0–9 and -`,
    ],
  ]);
  expect(progress).toContain('✔ Organization: 2 checked, 0 broken invariants, 3 values that would be refused today\n');
  expect((await run('on')).lines).toEqual(lines);
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
  expect((await run('off', connection)).lines).toEqual([]);
  await connection.close();
  const readsOf = (name: string) => reads.filter(({ collection }) => collection === name).map(({ records }) => records);
  const organizations = readsOf('organizations');
  expect(organizations.reduce((sum, records) => sum + records, 0)).toBeGreaterThanOrEqual(many.length);
  expect(Math.max(...organizations)).toBe(200);
  // Managers are looked up for 200 Organizations at a time, not for each.
  expect(readsOf('users').length).toBeLessThan(20);
});

describe('--repair', () => {
  const repairable = BREAKS.flatMap(({ repair, ...broken }) => (repair ? [{ repair, ...broken }] : []));

  it.each(repairable)('says what it would do about $what, and does it with --yes', async (broken) => {
    await broken.break(db, world.ids);
    const named = broken.lines(world.texts).map((line) => `✖ ${line}`);
    const what = broken.repair(world.texts);
    const before = await service.contents();
    const dry = await run('dry');
    expect([dry.left, dry.lines]).toEqual([1, [...named, `  would: ${what}`]]);
    expect(await service.contents()).toEqual(before);

    const repaired = await run('on');
    expect([repaired.left, repaired.lines]).toEqual([0, [...named, `  repaired: ${what}`]]);
    expect((await run()).lines).toEqual([]);
    expect(idsIn(await service.contents())).toEqual(idsIn(before));
  });

  it('changes the ETag of a record that looks different afterwards', async () => {
    const path = `/organizations/${world.texts.nets}`;
    await db.files.deleteOne({ _id: world.ids.logo });
    const before = await service.admin.get(path);
    await run('on');
    const after = await service.admin.get(path);
    expect(after.body.organizationLogoFileId).toBeNull();
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('leaves what it cannot repair as it is', async () => {
    await db.organizations.updateOne({ _id: world.ids.other }, { $set: { name: 'Nets & Sons', managers: [] } });
    const before = await service.contents();
    const { left, lines } = await run('on');
    expect(lines).toContain('  a duplicate key prevents: rebuild nameKey');
    expect(left).toBeGreaterThan(2);
    expect(await service.contents()).toEqual(before);
  });
});

function idsIn(contents: Record<string, unknown[]>): string[] {
  const records = Object.values(contents) as { _id: unknown }[][];
  return records.flat().map(({ _id }) => String(_id));
}

test('npm run check:data ends with 1 while an invariant is broken', async () => {
  const start = (...args: string[]): Program =>
    startCommand({ MONGODB_URI: service.databaseUri, JWT_SECRET }, 'check:data', ...args);
  await BREAKS.find(({ what }) => what === 'a featured API that is gone')!.break(db, world.ids);
  const dry = start('--repair');
  expect(await dry.end()).toBe(1);
  expect(dry.output).toContain(`  would: remove ${GONE} from featuredApiIds\n`);
  expect(dry.errors).toMatch(/✖ 1 broken invariant is left\.\n$/);
  const repaired = start('--repair', '--yes');
  expect(await repaired.end()).toBe(0);
  expect(repaired.errors).toMatch(/✔ No invariant is broken\.\n$/);
});
