import type { Connection } from 'mongoose';
import { DatabaseStart } from '../../../src/platform/records/connection/database-start';
import { renewDerived } from '../../../src/platform/records/renew-derived';
import { createOrganization, idsOf, newUserBody } from '../../support/records';
import { startCommand } from '../../support/programs';
import { JWT_SECRET, type Service, startInstance, startService, useService } from '../../support/service';
import { catchWarnings } from '../../support/warnings';

const service = useService();

/** Stores a record as an earlier version did: the embedded database keeps the keys of the insertion. */
async function storeAgain({ connection }: Service, name: string, filter: object, fields: object): Promise<void> {
  const collection = connection.collection(name);
  const record = (await collection.findOne(filter))!;
  await collection.deleteOne({ _id: record._id });
  await collection.insertOne({ ...record, ...fields });
}

const setVersion = (connection: Connection, version: number): Promise<unknown> =>
  connection.collection('migrations').updateOne({ _id: 'data' as never }, { $set: { version } });

it('data of an earlier version gets its keys, search texts and slugs anew before requests are served', async () => {
  const { _id } = await createOrganization(service.admin, { name: 'WEIẞ ①', description: 'O\u2019Reilly' });
  const { email } = newUserBody({ email: 'renewed@b\u00fccher.example' });
  const user = await service.registered({ email });
  const slug = { text: 'wei', base: 'wei', index: 0 };
  const old = { nameKey: 'weiß 1', searchText: 'weiß ①\n\no\u2019reilly', slug, slugs: [slug] };
  await storeAgain(service, 'organizations', { name: 'WEIẞ ①' }, old);
  await storeAgain(service, 'users', { email }, { emailKey: email });
  await setVersion(service.connection, 2);

  const next = await startService({ MONGODB_URI: service.databaseUri });
  const found = async (query: string): Promise<string[]> => idsOf(await next.admin.get(query));
  for (const query of ['name=weiss+1', "q=o'reilly", 'slug=wei', 'slug=weiss-1'])
    expect({ query, ids: await found(`/organizations?${query}`) }).toEqual({ query, ids: [_id] });
  expect(await found('/users?email=renewed@xn--bcher-kva.example')).toEqual([user.id]);
  expect((await next.admin.post('/organizations', { name: 'weiss 1' })).body.code).toBe(1501);
  expect((await next.admin.post('/organizations', { name: 'Wei\u00df 2' })).status).toBe(201);
  await next.app.close();
});

it('records whose keys are the same now are named, and keep the service from being ready until they are mended', async () => {
  const [one, other] = [await createOrganization(service.admin), await createOrganization(service.admin)];
  await storeAgain(service, 'organizations', { name: one.name }, { name: 'İzmir', nameKey: 'i\u0307zmir' });
  await storeAgain(service, 'organizations', { name: other.name }, { name: 'Izmir', nameKey: 'izmir' });
  await setVersion(service.connection, 2);
  const before = await service.contents();

  const { logged } = catchWarnings();
  const app = await startInstance({ MONGODB_URI: service.databaseUri });
  const named = `Organization ${one._id} and ${other._id}: the same name. Nothing was changed. Give one of each another name`;
  await logged(new RegExp(`^Not ready: database: values that must be unique are the same now. ${named}`));
  for (const url of ['/organizations', '/health/ready']) expect((await app.inject(url)).json().code).toBe(1901);
  expect(await service.contents()).toEqual(before);
  const rename = startCommand(
    { MONGODB_URI: service.databaseUri, JWT_SECRET },
    'admin',
    'rename',
    other._id,
    'Izmir 2',
  );
  expect([await rename.end(), rename.output]).toEqual([0, 'The name of this Organization is now Izmir 2.\n']);
  expect(await app.get(DatabaseStart).ready).toBe(true);
  expect((await app.inject('/organizations')).statusCode).toBe(401);
  await app.close();
});

it('a record that somebody changes while it is renewed has what is derived from the change', async () => {
  const { _id, ...body } = await createOrganization(service.admin);
  await storeAgain(service, 'organizations', { name: body.name }, { searchText: 'as it was' });
  const { collection } = service.model('Organization');
  const { updateOne } = collection;
  jest.spyOn(collection, 'updateOne').mockImplementationOnce(async (...args) => {
    const changed = await service.admin.put(`/organizations/${_id}`, { ...body, name: 'Changed meanwhile' });
    expect(changed.status).toBe(200);
    return updateOne.apply(collection, args);
  });
  await renewDerived(service.connection);
  expect(idsOf(await service.admin.get('/organizations?q=changed+meanwhile'))).toEqual([_id]);
});
