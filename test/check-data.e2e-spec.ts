import { Collection, Types } from 'mongoose';
import type { AnyModel } from '../src/database/any-model';
import { checkData, Repair } from '../src/check-data/check-data';
import type { Api } from '../src/apis/api.schema';
import type { File } from '../src/files/file.schema';
import type { Organization } from '../src/organizations/organization.schema';
import type { User } from '../src/users/user.schema';
import { createApi, feature } from './apis/api-records';
import { uploaded } from './files/uploads';
import { startSource } from './support/program';
import { addManager, createOrganization } from './support/records';
import { JWT_SECRET, Service, startService } from './support/service';

/** Ids of no record. */
const GONE = new Types.ObjectId('f'.repeat(24));
const id = ({ _id }: { _id: string }): Types.ObjectId => new Types.ObjectId(_id);

let service: Service;
let world: World;
beforeEach(async () => {
  service = await startService();
  world = await createWorld();
});
afterEach(() => service.stop());

/** The ids of sound records. */
type World = Record<'nets' | 'other' | 'user' | 'shown' | 'hidden' | 'foreign' | 'logo', Types.ObjectId>;

async function createWorld(): Promise<World> {
  const { admin } = service;
  const [nets, other] = [
    await createOrganization(admin, { name: 'Nets & Sons', url: 'https://nets.example' }),
    await createOrganization(admin, { name: 'Other', url: 'https://other.example' }),
  ];
  const user = await service.account();
  await addManager(admin, nets._id, user.id);
  const shown = await createApi(admin, nets._id, { name: 'Shown', isPublic: true });
  const hidden = await createApi(admin, nets._id, { name: 'Hidden', isPublic: false });
  const foreign = await createApi(admin, other._id, { name: 'Foreign', isPublic: true });
  const logo = await uploaded(user);
  const { body } = await feature(admin, nets, shown);
  await admin.put(`/organizations/${nets._id}`, { ...body.data, organizationLogoFileId: logo._id });
  const ids = { nets: id(nets), other: id(other), shown: id(shown), hidden: id(hidden), foreign: id(foreign) };
  return { ...ids, user: new Types.ObjectId(user.id), logo: id(logo) };
}

const users = (): Collection<User> => service.model<User>('User').collection as never;
const organizations = (): Collection<Organization> => service.model<Organization>('Organization').collection as never;
const apis = (): Collection<Api> => service.model<Api>('Api').collection as never;
const files = (): Collection<File> => service.model<File>('File').collection as never;

/** What the command reports, and how many broken invariants are left. */
async function run(repair: Repair = 'off'): Promise<{ left: number; lines: string[]; progress: string }> {
  const [report, progress] = [paper(), paper(true)];
  const models = Object.values(service.connection.models) as AnyModel[];
  const left = await checkData(service.databaseUri, models, repair, { report, progress });
  return { left, lines: report.text.split('\n').slice(0, -1), progress: progress.text };
}

function paper(isTTY = false): { isTTY: boolean; text: string; write(text: string): void } {
  return {
    isTTY,
    text: '',
    write(text) {
      this.text += text;
    },
  };
}

it('finds nothing in what the service wrote, and shows how far it is', async () => {
  const { left, lines, progress } = await run();
  expect([left, lines]).toEqual([0, []]);
  expect(progress).toContain('█ Organization 2 of 2');
  expect(progress).toContain('✔ Organization: 2 checked, 0 broken invariants\n');
});

type Break = (w: World) => Promise<unknown>;

/** Each breaks one thing; without a repair, only the line that names it. */
const BROKEN: [string, Break, (w: World) => string | string[], repair?: (w: World) => string][] = [
  [
    'a manager who is gone',
    ({ user }) => users().deleteOne({ _id: user }),
    ({ nets, user }) => `Organization ${nets}: managers._id: no User has the id ${user}`,
    ({ user }) => `remove ${user} from managers`,
  ],
  [
    'a featured API that is gone',
    ({ other }) => organizations().updateOne({ _id: other }, { $set: { featuredApiIds: [GONE] } }),
    ({ other }) => `Organization ${other}: featuredApiIds: no Api has the id ${GONE}`,
    () => `remove ${GONE} from featuredApiIds`,
  ],
  [
    'a featured API that is private',
    ({ nets, hidden }) => organizations().updateOne({ _id: nets }, { $push: { featuredApiIds: hidden } }),
    ({ nets, hidden }) => `Organization ${nets}: featuredApiIds: the API ${hidden} is private`,
    ({ hidden }) => `remove ${hidden} from featuredApiIds`,
  ],
  [
    'a featured API of another Organization',
    ({ nets, foreign }) => organizations().updateOne({ _id: nets }, { $push: { featuredApiIds: foreign } }),
    ({ nets, foreign }) => `Organization ${nets}: featuredApiIds: the API ${foreign} belongs to another Organization`,
    ({ foreign }) => `remove ${foreign} from featuredApiIds`,
  ],
  [
    'a logo that is gone',
    ({ logo }) => files().deleteOne({ _id: logo }),
    ({ nets, logo }) => `Organization ${nets}: organizationLogoFileId: no File has the id ${logo}`,
    ({ logo }) => `remove ${logo} from organizationLogoFileId`,
  ],
  [
    'a unique key that is not that of its name',
    ({ other }) => organizations().updateOne({ _id: other }, { $set: { nameKey: 'another' } }),
    ({ other }) => `Organization ${other}: nameKey is not what the other fields give`,
    () => 'rebuild nameKey',
  ],
  [
    'a search text that is out of date',
    ({ user }) => users().updateOne({ _id: user }, { $set: { searchText: 'old' } }),
    ({ user }) => `User ${user}: searchText is not what the other fields give`,
    () => 'rebuild searchText',
  ],
  [
    'a wrong count of APIs',
    ({ nets }) => organizations().updateOne({ _id: nets }, { $inc: { apiCount: 1 } }),
    ({ nets }) => `Organization ${nets}: apiCount is 3, but it has 2 APIs`,
    () => 'count again',
  ],
  [
    'an Organization without managers',
    ({ other }) => organizations().updateOne({ _id: other }, { $set: { managers: [] } }),
    ({ other }) => `Organization ${other}: it has no managers; an Admin can add one`,
  ],
  [
    'a User who is a manager twice',
    async ({ nets }) => {
      const { managers } = (await organizations().findOne({ _id: nets }))!;
      await organizations().updateOne({ _id: nets }, { $push: { managers: managers[1]! } });
    },
    ({ nets, user }) => `Organization ${nets}: managers._id has the id ${user} twice`,
  ],
  [
    'an API without an Organization',
    ({ foreign }) => apis().updateOne({ _id: foreign }, { $set: { organizationId: GONE } }),
    ({ foreign, other }) => [
      `Organization ${other}: apiCount is 1, but it has 0 APIs`,
      `Api ${foreign}: organizationId: no Organization has the id ${GONE}`,
    ],
  ],
  [
    'a File that is no logo, but says so',
    ({ nets }) => organizations().updateOne({ _id: nets }, { $set: { organizationLogoFileId: null } }),
    ({ nets, logo }) => `File ${logo}: organizationId: the Organization ${nets} has another logo`,
  ],
  [
    'a logo that is not attached',
    ({ logo }) => files().updateOne({ _id: logo }, { $set: { organizationId: null } }),
    ({ nets, logo }) => `Organization ${nets}: organizationLogoFileId: the File ${logo} is not its logo`,
  ],
  [
    'a slug that does not fit the name',
    ({ nets }) => {
      const slug = { text: 'fjord', base: 'fjord', index: 0 };
      return organizations().updateOne({ _id: nets }, { $set: { slug, slugs: [slug] } });
    },
    ({ nets }) => `Organization ${nets}: the slug fjord does not fit the name "Nets & Sons"`,
  ],
  [
    'a slug that does not find its record',
    ({ nets }) => organizations().updateOne({ _id: nets }, { $set: { slugs: [] } }),
    ({ nets }) => `Organization ${nets}: the slug nets-sons does not find the record`,
  ],
  [
    'a slug that does not fit its index',
    ({ nets }) => organizations().updateOne({ _id: nets }, { $set: { 'slug.index': 2 } }),
    ({ nets }) => `Organization ${nets}: the slug nets-sons does not fit its base nets-sons and index 2`,
  ],
  ['a registry without an Admin', () => users().updateMany({}, { $set: { roles: [] } }), () => 'There is no Admin.'],
  [
    'an index that is missing',
    () => organizations().dropIndex('managers._id_1'),
    () => 'Organization: the index of managers._id is missing',
  ],
];

it.each(BROKEN.filter(([, , , repair]) => !repair))('names %s', async (_what, breakIt, line) => {
  await breakIt(world);
  const { left, lines } = await run();
  expect(lines).toEqual([line(world)].flat().map((text) => `✖ ${text}`));
  expect(left).toBe(lines.length);
});

it('names records that have the same name or slug', async () => {
  const { nets, other } = world;
  const { nameKey, slugs } = (await organizations().findOne({ _id: nets }))!;
  for (const index of ['nameKey_1', 'slugs.text_1']) await organizations().dropIndex(index);
  await organizations().updateOne({ _id: other }, { $set: { nameKey }, $push: { slugs: slugs[0]! } });
  const { lines } = await run();
  expect(lines).toEqual([
    '✖ Organization: the index of nameKey is missing',
    '✖ Organization: the index of slugs.text is missing',
    `✖ Organization: nameKey "nets & sons": ${nets} and ${other} have the same`,
    `✖ Organization: slugs.text "nets-sons": ${nets} and ${other} have the same`,
    `✖ Organization ${other}: nameKey is not what the other fields give`,
  ]);
});

describe('--repair', () => {
  const repairable = BROKEN.filter(([, , , repair]) => repair);

  it.each(repairable)(
    'says what it would do about %s, and does it with --yes',
    async (_what, breakIt, line, repair) => {
      await breakIt(world);
      const before = await service.contents();
      const dry = await run('dry');
      expect(dry.lines).toEqual([`✖ ${line(world)}`, `  would: ${repair!(world)}`]);
      expect([dry.left, await service.contents()]).toEqual([1, before]);

      const repaired = await run('on');
      expect(repaired.lines).toEqual([`✖ ${line(world)}`, `  repaired: ${repair!(world)}`]);
      expect([repaired.left, (await run()).lines]).toEqual([0, []]);
      const after = await service.contents();
      expect(idsIn(after)).toEqual(idsIn(before));
    },
  );

  it('changes the ETag of a record that looks different afterwards', async () => {
    const path = `/organizations/${world.other}`;
    await organizations().updateOne({ _id: world.other }, { $set: { featuredApiIds: [GONE] } });
    const before = await service.admin.get(path);
    await run('on');
    const after = await service.admin.get(path);
    expect(after.body.featuredApiIds).toEqual([]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('leaves what it cannot repair, and deletes nothing', async () => {
    const { nets, other } = world;
    await organizations().updateOne({ _id: other }, { $set: { name: 'Nets & Sons', managers: [] } });
    const before = await service.contents();
    const { left, lines } = await run('on');
    expect(lines).toContain(`✖ Organization ${other}: it has no managers; an Admin can add one`);
    expect([left, await service.contents()]).toEqual([left, before]);
    expect(lines).toContain('  a duplicate key prevents: rebuild nameKey');
    expect(left).toBeGreaterThan(2);
    expect(await organizations().findOne({ _id: nets })).not.toBeNull();
  });
});

function idsIn(contents: Record<string, unknown[]>): string[] {
  const records = Object.values(contents) as { _id: unknown }[][];
  return records.flat().map(({ _id }) => String(_id));
}

test('npm run check:data ends with 1 while an invariant is broken', async () => {
  const start = (...args: string[]) =>
    startSource('check-data/main.ts', { MONGODB_URI: service.databaseUri, JWT_SECRET }, args);
  await organizations().updateOne({ _id: world.other }, { $set: { featuredApiIds: [GONE] } });
  const dry = start('--repair');
  expect(await dry.end()).toBe(1);
  expect(dry.output).toContain(`  would: remove ${GONE} from featuredApiIds\n`);
  expect(dry.errors).toMatch(/✖ 1 broken invariant is left\.\n$/);
  const repaired = start('--repair', '--yes');
  expect(await repaired.end()).toBe(0);
  expect(repaired.errors).toMatch(/✔ No invariant is broken\.\n$/);
  const wrong = start('--delete');
  expect(await wrong.end()).toBe(1);
  expect(wrong.errors).toContain("Unknown option '--delete'");
}, 60_000);
