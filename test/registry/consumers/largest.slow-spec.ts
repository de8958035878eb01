import { Types } from 'mongoose';
import { connectionOptions } from '../../../src/platform/records/driver/connection-options';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { type Api, ApiSchema } from '../../../src/registry/apis/api.schema';
import { type Consumer, ConsumerSchema } from '../../../src/registry/consumers/consumer.schema';
import { OrganizationSchema } from '../../../src/registry/organizations/organization.schema';
import type { Client } from '../../support/client';
import { expectOutcome } from '../../support/expect-error';
import { createOrganization, unique } from '../../support/records';
import { useService } from '../../support/service';

connectionOptions.monitorCommands = true;

/** `CONSUMERS=10000` for as many as the limits allow (docs/reliability.md). */
const CONSUMERS = Number(process.env.CONSUMERS ?? 1500);
/** A Consumer uses at most 1,000 APIs. */
const USED = CONSUMERS / 10;

const service = useService();
let manager: Client;
let _id: Types.ObjectId;
/** Stores so many records with names of their own. */
async function store(model: string, schema: object, count: number, fields: object = {}): Promise<Types.ObjectId[]> {
  const records = Array.from({ length: count }, () => {
    const slug = { text: unique(), base: unique(), index: 0 };
    const own = { name: `Record ${unique()}`, slug, slugs: [slug], createdBy: _id };
    return newRecord<Api>(schema as typeof ApiSchema, { ...own, ...fields });
  });
  await service.model(model).collection.insertMany(records);
  return records.map((record) => record._id);
}

/** Makes each Organization a Consumer of one of the APIs. */
async function use(apiIds: Types.ObjectId[], organizationId: Types.ObjectId, ids: Types.ObjectId[]): Promise<void> {
  const consumers = ids.map((consumerId, index) => {
    const apiId = apiIds[index % apiIds.length];
    return newRecord<Consumer>(ConsumerSchema, { apiId, organizationId, consumerId, createdBy: _id });
  });
  await service.model('Consumer').collection.insertMany(consumers);
}

/** Of its own APIs, other Organizations are Consumers. */
async function publish(): Promise<void> {
  const apis = await store('Api', ApiSchema, USED, { organizationId: _id });
  await use(apis, _id, await store('Organization', OrganizationSchema, CONSUMERS));
}

/** It is a Consumer of the APIs of another Organization. */
async function consume(): Promise<void> {
  const [owner] = await store('Organization', OrganizationSchema, 1);
  const apis = await store('Api', ApiSchema, USED, { organizationId: owner });
  const ids = apis.map(() => _id);
  await use(apis, owner!, ids);
}

describe.each([
  ['whose APIs have Consumers', CONSUMERS, publish],
  ['that is a Consumer of APIs', USED, consume],
])('an Organization %s: %i', (_title, count, prepare) => {
  const sizes: number[] = [];
  beforeAll(async () => {
    manager = await service.account();
    _id = new Types.ObjectId((await createOrganization(manager))._id);
    await prepare();
    service.connection.getClient().on('commandStarted', ({ command }) => {
      const { $in = [] } = ((command.filter ?? {}) as { _id?: { $in?: [] } })._id ?? {};
      sizes.push($in.length, ((command.documents ?? []) as []).length);
    });
  });

  it('is deleted, in commands of at most 500 records', async () => {
    expectOutcome(await manager.delete(`/organizations/${String(_id)}`), 204);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  });

  it('leaves an Event for each, with both names', async () => {
    const found = { type: 'consumer.deleted', actorId: manager.id, resourceName: /^./, apiName: /^Record/ };
    expect(await service.model('Event').countDocuments(found)).toBe(count);
    expect(await service.model('Consumer').countDocuments()).toBe(0);
  });
});

it('the list of Consumers reads no Managers of their Organizations, who can be 500 each', async () => {
  const apiId = new Types.ObjectId();
  manager = await service.account();
  _id = new Types.ObjectId((await createOrganization(manager))._id);
  await service.model('Api').collection.insertOne(newRecord<Api>(ApiSchema, { _id: apiId, organizationId: _id }));
  await use([apiId], _id, await store('Organization', OrganizationSchema, 2));
  const read: unknown[] = [];
  service.connection.getClient().on('commandStarted', ({ command }) => {
    const { $in } = ((command.filter ?? {}) as { _id?: { $in?: unknown[] } })._id ?? {};
    if (command.find === 'organizations' && $in?.length === 2) read.push(command.projection);
  });
  expect((await manager.get(`/apis/${String(apiId)}/consumers`)).body.data).toHaveLength(2);
  expect(read).toEqual([{ name: 1, slug: 1 }]);
});
