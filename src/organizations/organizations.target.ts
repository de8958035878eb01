import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';
import { Loader } from '../database/loader';
import { SHOWN_ORGANIZATION, OrganizationRecord } from './organization.dto';
import { Organization } from './organization.schema';

/** `organizations/:id` in a path. */
@Injectable()
export class OrganizationTarget implements TargetFinder<OrganizationRecord> {
  readonly segment = 'organizations/:id';
  readonly failure = 'organizationNotFound';
  private readonly loader: Loader<Organization>;

  constructor(@InjectModel(Organization.name) organizations: Model<Organization>, targets: Targets) {
    this.loader = new Loader(organizations, SHOWN_ORGANIZATION);
    targets.register(this);
  }

  async find(id: string): Promise<Found<OrganizationRecord> | undefined> {
    const record = await this.loader.load(id);
    return record && { record, managerIds: record.managers.map(({ _id }) => _id) };
  }
}
