import { DATA_VERSION } from '../../../src/platform/records/connection/data-version';
import { createApi } from '../../registry/apis/api-records';
import { onDatabase } from '../../support/connection';
import { databaseUri } from '../../support/database';
import { createOrganization } from '../../support/records';
import { useService } from '../../support/service';
import { createWorld } from '../check-data/breaks';
import { documentsIn, edited, exported, imported } from './files';

const target = databaseUri('import-earlier');

const service = useService();
let file: string;
let izmir: string;
let other: string;
beforeAll(async () => {
  await createWorld(service);
  const organization = await createOrganization(service.admin, { name: 'WEIẞ ①', description: 'O\u2019Reilly' });
  izmir = (await createApi(service.admin, organization._id, { name: 'İzmir' }))._id;
  other = (await createApi(service.admin, organization._id, { name: 'Izmir 2' }))._id;
  await service.registered({ email: 'earlier@b\u00fccher.example' });
  file = await exported(service);
});
afterEach(() => onDatabase(target, (connection) => connection.dropDatabase()));

/* eslint-disable @typescript-eslint/no-explicit-any -- parsed JSON */
/** The file as an earlier version wrote it. */
const earlier = (path: string, change: (record: any) => any): string =>
  edited(path, ([header, ...lines]) => {
    const { data, ...rest } = JSON.parse(header!);
    const records = lines.map((line) => JSON.parse(line)).map((line) => ({ ...line, record: change(line.record) }));
    return [{ ...rest, data: { ...data, version: DATA_VERSION - 1 } }, ...records].map((line) => JSON.stringify(line));
  });

const DERIVED = ['nameKey', 'usernameKey', 'emailKey', 'searchText'];

it('an import of an older file computes all derived fields anew', async () => {
  const old = earlier(file, (record) => {
    const derived = DERIVED.filter((name) => name in record).map((name) => [name, `old ${record._id.$oid}`]);
    return { ...record, ...Object.fromEntries(derived) };
  });
  const { broken, report } = await imported(service, target, old);
  expect([broken, report]).toEqual([0, '']);
  const { users, ...others } = await service.contents();
  const copy = await onDatabase(target, (connection) => service.contents(connection));
  expect(copy).toEqual({ ...others, users: users!.map((user) => ({ ...(user as object), sessions: [] })) });
});

it('an import of an older file makes a slug anew whose base is another one now, and the old one finds its record', async () => {
  const wei = { text: 'wei', base: 'wei', index: 0 };
  const old = earlier(file, (record) => (record.name === 'WEIẞ ①' ? { ...record, slug: wei, slugs: [wei] } : record));
  expect((await imported(service, target, old)).broken).toBe(0);
  const organizations = (await documentsIn(target)).organizations as any[];
  const { slug, slugs } = organizations.find(({ name }) => name === 'WEIẞ ①');
  expect(slug.text).toBe('weiss-1');
  expect(slugs.map(({ text }: { text: string }) => text)).toEqual(['wei', 'weiss-1']);
});

it('an import of an older file names records whose keys are the same now, and takes the file once it is changed', async () => {
  const renamed = (name: string): string =>
    earlier(file, (record) => (record._id.$oid === other ? { ...record, name, nameKey: 'old' } : record));
  const named = `Api ${izmir} and ${other}: the same name. Nothing was imported. Change one of each in the file`;
  await expect(imported(service, target, renamed('IZMIR'))).rejects.toThrow(named);
  expect(await documentsIn(target)).toEqual({});
  await imported(service, target, renamed('Izmir 3'));
  const apis = (await documentsIn(target)).apis as any[];
  expect(apis.find(({ name }) => name === 'Izmir 3').nameKey).toBe('izmir 3');
});
