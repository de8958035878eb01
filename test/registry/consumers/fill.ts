import { Types } from 'mongoose';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { type Consumer, ConsumerSchema } from '../../../src/registry/consumers/consumer.schema';
import type { Service } from '../../support/service';

type Ids = 'apiId' | 'organizationId' | 'consumerId';

/** The Model that each id of a Consumer refers to. */
const MODELS: Readonly<Record<Ids, string>> = {
  apiId: 'Api',
  organizationId: 'Organization',
  consumerId: 'Organization',
};

/** Stores Consumers with these ids, and others that nothing has. */
export async function fill(service: Service, ids: Partial<Record<Ids, string>>, count: number): Promise<void> {
  const records = Array.from({ length: count }, () => {
    const [apiId, organizationId, consumerId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
    return newRecord<Consumer>(ConsumerSchema, { apiId, organizationId, consumerId, createdBy: consumerId, ...ids });
  });
  await service.model('Consumer').collection.insertMany(records);
  for (const [name, _id] of Object.entries(ids))
    await service.model(MODELS[name as Ids]).updateOne({ _id }, { $inc: { referenceCount: count } });
}
