import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { Api } from '../apis/api.schema';
import type { Change } from '../auth/change';
import { Transactions } from '../database/transactions';
import { Logos } from './logos';
import type { OrganizationRecord } from './organization.dto';
import { Organization } from './organization.schema';

/** DELETE /organizations/:id. */
@Injectable()
export class OrganizationDeletionService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    private readonly logos: Logos,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Deletes an Organization with its Apis and its logo in one transaction; their slugs become free. Whoever creates an
   * Api meanwhile writes the Organization too, so that one of the two meets a write conflict.
   *
   * @throws Failure preconditionFailed, concurrentChange
   */
  async remove(organization: Change<OrganizationRecord>): Promise<void> {
    await organization.write((record) => {
      organization.requireMatch();
      return this.transactions.attempt(async () => {
        const deleted = await this.organizations.deleteOne({ _id: record._id, revision: record.revision });
        if (deleted.deletedCount === 0) return undefined;
        await this.apis.deleteMany({ organizationId: record._id });
        await this.logos.remove(record);
        return deleted;
      });
    });
  }
}
