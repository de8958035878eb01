import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Change } from '../auth/change';
import { Transactions } from '../database/transactions';
import { Organization } from '../organizations/organization.schema';
import type { ApiRecord } from './api.dto';
import { Api } from './api.schema';
import { FeaturedPlaces } from './featured-places';

/** DELETE /apis/:id. */
@Injectable()
export class ApiDeletionService {
  constructor(
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    private readonly places: FeaturedPlaces,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Deletes an Api and takes it out of its Organization's featured Apis and count, in one transaction. Its slugs become
   * free.
   *
   * @throws Failure preconditionFailed, concurrentChange
   */
  async remove(api: Change<ApiRecord>): Promise<void> {
    await api.write((record) => {
      api.requireMatch();
      return this.transactions.attempt(async () => {
        const deleted = await this.apis.deleteOne({ _id: record._id, revision: record.revision });
        if (deleted.deletedCount === 0) return undefined;
        await this.places.leave(record, new Date());
        await this.organizations.updateOne({ _id: record.organizationId }, { $inc: { apiCount: -1 } });
        return deleted;
      });
    });
  }
}
