import { isDeepStrictEqual } from 'node:util';
import { Database } from '../../src/platform/records/database';
import type { AnyModel } from '../../src/platform/records/driver/any-model';
import { checkData } from '../../src/commands/check-data/check-data';
import { BREAKS, Collections, collectionsOf, createWorld, World } from './check-data/breaks';
import { Paper } from '../support/paper';
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
});

const models = (): AnyModel[] => Object.values(service.connection.models) as AnyModel[];

/** What the command reports, and how many invariants are broken. */
async function run(): Promise<{ broken: number; lines: string[]; progress: string }> {
  const [report, progress] = [new Paper(), new Paper()];
  const broken = await checkData(service.app.get(Database), { report, progress });
  return { broken, lines: report.text.split('\n').slice(0, -1), progress: progress.text };
}

it('finds nothing in what the service wrote', async () => {
  const { broken, lines, progress } = await run();
  expect([broken, lines]).toEqual([0, []]);
  expect(progress).toContain('✔ Organization: 2 checked, 0 broken invariants\n');
});

it.each(BREAKS)('names $what', async (one) => {
  await one.break(db, world.ids);
  const { broken, lines } = await run();
  expect(lines).toEqual(one.lines(world.texts).map((line) => `✖ ${line}`));
  expect(broken).toBe(lines.length);
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

test('npm run check:data ends with 1 while an invariant is broken', async () => {
  await BREAKS.find(({ what }) => what === 'a featured API that is private')!.break(db, world.ids);
  const check = startCommand({ MONGODB_URI: service.databaseUri, JWT_SECRET }, 'check:data');
  expect(await check.end()).toBe(1);
  expect(check.errors).toMatch(/✖ Broken invariants: 1\.\n$/);
});
