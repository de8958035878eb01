import { readFileSync, statSync } from 'node:fs';
import { createConnection } from 'mongoose';
import { inSnapshot } from '../../../src/commands/export-import/snapshot';
import { assertReadable } from '../../../src/platform/records/start/data-version';
import type { User } from '../../../src/registry/users/user.schema';
import { createWorld, World } from '../check-data/breaks';
import { onDatabase } from '../../support/connection';
import { databaseUri } from '../../support/database';
import { createApi } from '../../registry/apis/api-records';
import { createOrganization } from '../../support/records';
import { PASSWORD, Service, startService, useService } from '../../support/service';
import { edited, exported, imported } from './files';

/** Characters with a meaning in JSON, or in Extended JSON. */
const ODD = 'one\ntwo\tthree 😀 {"$oid": "x"} \\n';

const service = useService();
let world: World;
beforeAll(async () => {
  world = await createWorld(service);
  const { _id } = await createOrganization(service.admin, { name: 'Odd', description: ODD, externalId: 'crm 1' });
  await createApi(service.admin, _id, { externalId: 'gateway 1' });
  await service.admin.put('/users/me', { ...service.admin.user, externalId: 'Subject' });
  await service.admin.post(`/organizations/${_id}/invitations`, { email: 'new@roster.example' });
});

const withoutSessions = (contents: Record<string, unknown[]>): Record<string, unknown[]> => ({
  ...contents,
  links: [],
  users: (contents.users as User[]).map((user) => ({ ...user, sessions: [] })),
});

describe('an export that is imported into another database', () => {
  const target = databaseUri('import-round-trip');
  let file: string;
  let second: Service;
  beforeAll(async () => {
    file = await exported(service);
    await imported(service, target, file);
  });
  afterAll(async () => {
    await second.connection.dropDatabase();
    await second.app.close();
  });

  it('can be read by its owner only, and has no session and no link', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(/tokenHash|"links"/);
  });

  it('gives equal records, without sessions and links', async () => {
    const copy = await onDatabase(target, (connection) => service.contents(connection));
    expect(copy).toEqual(withoutSessions(await service.contents()));
    expect(copy.files).toHaveLength(1);
  });

  it('is a registry in which people log in with their passwords, and nobody is logged in', async () => {
    second = await startService({ MONGODB_URI: target });
    const { username } = (await service.stored<User>('User', world.ids.user))!;
    expect((await second.logIn({ username, password: PASSWORD })).id).toBe(world.texts.user);
    const authorization = `Bearer ${service.admin.token}`;
    expect((await second.nobody.get(`/users/${service.admin.id}`, { authorization })).body.code).toBe(1102);
  });

  it('is a registry in which API keys keep working, and the file has none of them', async () => {
    const { status, body } = await second.nobody.get('/users/me', { authorization: `Bearer ${world.key}` });
    expect([status, body._id]).toEqual([200, world.texts.user]);
    expect(readFileSync(file, 'utf8')).not.toContain(world.key);
  });
});

it('an import computes the derived fields anew, so an export of an earlier version can be read', async () => {
  const target = databaseUri('import-earlier');
  const old = edited(await exported(service), ([header, ...lines]) => [
    JSON.stringify({ ...JSON.parse(header!), release: '0.9.0', data: { version: 1 } }),
    ...lines.map((line) => line.replace(/("(\w+Key|searchText)"):"([^"\\]|\\.)*"/g, '$1:"old"')),
  ]);
  await imported(service, target, old);
  await onDatabase(target, async (connection) => {
    expect(await service.contents(connection)).toEqual(withoutSessions(await service.contents()));
    await assertReadable(connection);
    await connection.dropDatabase();
  });
});

it('an export is a consistent snapshot, also while others write', async () => {
  const connection = await createConnection(service.databaseUri).asPromise();
  const users = connection.collection('users');
  const before = await users.find().sort({ _id: 1 }).toArray();
  const user = await service.registered();
  await inSnapshot(connection, async (session) => {
    const first = await users.find({}, { session, batchSize: 1, sort: { _id: 1 } }).next();
    const changed = await service.registered();
    await service.admin.delete(`/users/${user.id}`);
    await service.admin.put(`/users/${world.texts.user}`, {
      ...changed.user,
      username: 'renamed',
      email: 'r@x.example',
    });
    const all = await users.find({}, { session, sort: { _id: 1 } }).toArray();
    expect(first).toEqual(all[0]);
    expect(all.slice(0, -1)).toEqual(before);
    expect(String(all.at(-1)!._id)).toBe(user.id);
    expect(await users.countDocuments({}, { session })).toBe(all.length);
  });
  await connection.close();
});
