import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Subject } from '../access/subject';
import { Transactions } from '../database/transactions';
import type { ShownOrganization } from './organization.dto';
import { Organization } from './organization.schema';

/** DELETE /organizations/:id. */
@Injectable()
export class OrganizationDeletionService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Deletes an Organization in one transaction; its slugs become free.
   *
   * @throws Failure preconditionFailed, concurrentChange
   */
  async remove(organization: Subject<ShownOrganization>): Promise<void> {
    await organization.write((record) => {
      organization.requireMatch();
      return this.transactions.attempt(async () => {
        const deleted = await this.organizations.deleteOne({ _id: record._id, revision: record.revision });
        return deleted.deletedCount === 1 || undefined;
      });
    });
  }
}
