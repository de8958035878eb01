import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import type { Organization } from '../../../src/registry/organizations/organization.schema';
import type { Client } from '../../support/client';
import type { Service } from '../../support/service';

/** Adds Managers whose Users do not exist. */
export async function fill(service: Service, { _id }: { _id: string }, adder: Client, count: number): Promise<void> {
  const createdBy = new Types.ObjectId(adder.id);
  const $each = Array.from({ length: count }, () => ({ _id: new Types.ObjectId(), createdBy, createdAt: new Date() }));
  await service
    .model<Organization>('Organization')
    .updateOne({ _id }, { $push: { managers: { $each } }, $inc: { revision: 1 } });
}

/** Makes a User the Manager of more Organizations, with no more than the indexes need. */
export async function fillManaged(service: Service, { id }: Client, count: number): Promise<void> {
  const managers = [{ _id: new Types.ObjectId(id) }, { _id: new Types.ObjectId() }];
  const organizations = Array.from({ length: count }, () => {
    const nameKey = randomBytes(10).toString('hex');
    return { nameKey, managers, slug: { base: nameKey, index: 0 }, slugs: [{ text: nameKey }], revision: 0 };
  });
  await service.connection.collection('organizations').insertMany(organizations);
  await service.model('User').updateOne({ _id: id }, { $inc: { referenceCount: count } });
}
