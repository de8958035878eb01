import { ClientSession, Connection, createConnection, Types } from 'mongoose';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { OrganizationSchema } from '../../../src/registry/organizations/organization.schema';
import { createOrganization, organizationBody } from '../../support/records';
import { OwnDatabase } from '../../support/own-database';
import { Service, startService } from '../../support/service';

describe('the open transaction of a killed instance', () => {
  let database: OwnDatabase;
  let service: Service;
  let dead: Connection;
  let session: ClientSession;
  let organizationId: string;

  beforeAll(async () => {
    database = await OwnDatabase.start();
    // So a write that waits for the transaction takes a moment only.
    service = await startService({ MONGODB_URI: database.uri() }, { socketTimeoutMS: 800 });
    organizationId = (await createOrganization(service.admin, { name: 'Held' }))._id;
    dead = await createConnection(database.uri()).asPromise();
  });
  beforeEach(async () => {
    session = await dead.startSession();
    session.startTransaction();
    const organizations = dead.collection('organizations');
    const slug = { text: 'nets', base: 'nets', index: 0 };
    const fields = { name: 'Nets', url: 'https://nets.example', slug, slugs: [slug], managers: [] };
    await organizations.insertOne(newRecord(OrganizationSchema, fields), { session });
    const filter = { _id: new Types.ObjectId(organizationId) };
    await organizations.updateOne(filter, { $inc: { referenceCount: 1 } }, { session });
  });
  afterEach(async () => {
    await session.abortTransaction().catch(() => undefined);
    await service.model('Organization').deleteMany({ name: { $ne: 'Held' } });
  });
  afterAll(async () => {
    await dead.close();
    await service.stop();
    await database.stop();
  });

  it('keeps its slug from another name, which gets one of the next', async () => {
    expect((await createOrganization(service.admin, { name: 'Nets!' })).slug).toMatch(/^nets-[1-9]\d*$/);
  });

  it('blocks the name and the record that it writes for no longer than the time limits', async () => {
    const create = await service.admin.post('/organizations', organizationBody({ name: 'Nets' }));
    expect(create).toMatchObject({ status: 409, body: { code: 1510 } });
    const { body } = await service.admin.get(`/organizations/${organizationId}`);
    const update = await service.admin.put(`/organizations/${organizationId}`, { ...body, description: 'New.' });
    expect(update).toMatchObject({ status: 409, body: { code: 1510 } });
  });

  it('ends when another instance starts on the development database', async () => {
    const next = await startService({ MONGODB_URI: database.uri() });
    expect((await createOrganization(next.admin, { name: 'Nets' })).slug).toBe('nets');
    await next.stop();
  });
});
