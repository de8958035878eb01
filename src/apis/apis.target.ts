import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';
import { Loader } from '../database/loader';
import { Organization } from '../organizations/organization.schema';
import { SHOWN_API, ApiRecord } from './api.dto';
import { Api } from './api.schema';

/** `apis/:id` in a path. Who may do what with an Api hangs on its Organization, which is read with it. */
@Injectable()
export class ApiTarget implements TargetFinder<ApiRecord> {
  readonly segment = 'apis/:id';
  readonly failure = 'apiNotFound';
  private readonly apis: Loader<Api>;
  private readonly organizations: Loader<Organization>;

  constructor(
    @InjectModel(Api.name) apis: Model<Api>,
    @InjectModel(Organization.name) organizations: Model<Organization>,
    targets: Targets,
  ) {
    this.apis = new Loader(apis, SHOWN_API);
    this.organizations = new Loader(organizations, { 'managers._id': 1 });
    targets.register(this);
  }

  async find(id: string): Promise<Found<ApiRecord> | undefined> {
    const record = await this.apis.load(id);
    if (!record) return undefined;
    const organization = await this.organizations.load(record.organizationId.toHexString());
    // An Organization that went between the two reads took its Apis with it.
    if (!organization) return undefined;
    return { record, managerIds: organization.managers.map(({ _id }) => _id), isPublic: record.isPublic };
  }
}
