import { Types } from 'mongoose';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { MAX_APIS } from '../../../src/registry/apis/api.schema';
import { type Consumer, ConsumerSchema } from '../../../src/registry/consumers/consumer.schema';
import { type Organization, OrganizationSchema } from '../../../src/registry/organizations/organization.schema';
import { longApi } from '../apis/api-records';
import { expectOutcome } from '../../support/expect-error';
import { copyEmbedded } from '../../support/copies';
import { unique } from '../../support/records';
import { useService } from '../../support/service';
import { Stage } from '../../support/stage';

/** `CONSUMERS=10000` for as many as the limits allow (docs/reliability.md). */
const CONSUMERS = Number(process.env.CONSUMERS ?? 1500);

const service = useService();

/** Stores Organizations with names of their own. */
async function store(count: number): Promise<Types.ObjectId[]> {
  const organizations = Array.from({ length: count }, () => {
    const slug = { text: unique(), base: unique(), index: 0 };
    return newRecord<Organization>(OrganizationSchema, { name: unique(), slug, slugs: [slug] });
  });
  await service.model('Organization').collection.insertMany(organizations);
  return organizations.map(({ _id }) => _id);
}

test(`an Organization with 500 Managers, 1,000 APIs of the largest texts and ${CONSUMERS} Consumers is deleted, in commands of at most 500 records`, async () => {
  const stage = await Stage.of(service);
  const { owner: manager } = stage;
  const organization = await stage.record('organizations');
  await copyEmbedded(stage, 'managers', 500);
  const apis = Array.from({ length: MAX_APIS }, () => longApi(organization));
  for (let at = 0; at < MAX_APIS; at += 50) await service.model('Api').collection.insertMany(apis.slice(at, at + 50));
  const ids = { organizationId: new Types.ObjectId(organization._id), createdBy: new Types.ObjectId(manager.id) };
  const consumers = (await store(CONSUMERS)).map((consumerId, index) =>
    newRecord<Consumer>(ConsumerSchema, { ...ids, apiId: apis[index % MAX_APIS]!._id, consumerId }),
  );
  await service.model('Consumer').collection.insertMany(consumers);
  const sizes: number[] = [];
  service.connection.getClient().on('commandStarted', ({ command }) => {
    const { $in = [] } = ((command.filter ?? {}) as { _id?: { $in?: [] } })._id ?? {};
    sizes.push($in.length, ((command.documents ?? []) as []).length);
  });
  expectOutcome(await manager.delete(`/organizations/${organization._id}`), 204);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  const counts = ['Api', 'Consumer'].map((model) => service.model(model).countDocuments());
  expect(await Promise.all(counts)).toEqual([0, 0]);
  const found = { type: 'consumer.deleted', actorId: manager.id, resourceName: /^./, apiName: /^./ };
  expect(await service.model('Event').countDocuments(found)).toBe(CONSUMERS);
});
