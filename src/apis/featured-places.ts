import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { Organization } from '../organizations/organization.schema';
import type { ApiRecord } from './api.dto';

/** The places of Apis among the featured ones of their Organizations. */
@Injectable()
export class FeaturedPlaces {
  constructor(@InjectModel(Organization.name) private readonly organizations: Model<Organization>) {}

  /**
   * Takes an Api out of the featured ones of its Organization, which then shows the change (contract §3 Organization). To
   * be run inside the transaction that turns the Api private or deletes it: whoever features it meanwhile writes the
   * Api too, so that one of the two meets a write conflict.
   *
   * @param updatedAt when the Organization changed, if it did
   */
  async leave(api: ApiRecord, updatedAt: Date): Promise<void> {
    const featuring = { _id: api.organizationId, featuredApiIds: api._id };
    const change = { $pull: { featuredApiIds: api._id }, $inc: { revision: 1 }, $set: { updatedAt } };
    await this.organizations.updateOne(featuring, change);
  }
}
