import { Types } from 'mongoose';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { Organization } from '../../../src/registry/organizations/organization.schema';
import type { Client } from '../../support/client';
import type { Service } from '../../support/service';

/** Adds Managers whose Users do not exist. */
export async function fill(service: Service, { _id }: OrganizationDto, adder: Client, count: number): Promise<void> {
  const createdBy = new Types.ObjectId(adder.id);
  const $each = Array.from({ length: count }, () => ({ _id: new Types.ObjectId(), createdBy, createdAt: new Date() }));
  await service
    .model<Organization>('Organization')
    .updateOne({ _id }, { $push: { managers: { $each } }, $inc: { revision: 1 } });
}
