import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import { addReference } from '../database/references';
import { FieldError, fieldError } from '../errors/field-error';
import type { FeaturedApis } from '../organizations/featured-apis';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { OrganizationsService } from '../organizations/organizations.service';
import { Api } from './api.schema';

/** An Organization, only with its id while it is being created. */
type Featuring = Pick<OrganizationRecord, '_id'> & Partial<OrganizationRecord>;

/** Checks `featuredApiIds` for the organizations module. */
@Injectable()
export class ApiFeatures implements FeaturedApis, OnModuleInit {
  constructor(
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    private readonly organizations: OrganizationsService,
  ) {}

  onModuleInit(): void {
    this.organizations.useFeaturedApis(this);
  }

  async check(organization: OrganizationRecord, ids: readonly string[]): Promise<FieldError[]> {
    const added = addedTo(organization, ids);
    if (added.length === 0) return [];
    const _id = { $in: added.map(({ id }) => new Types.ObjectId(id)) };
    const found = await this.apis.find({ organizationId: organization._id, isPublic: true, _id }, { _id: 1 }).lean();
    const foundIds = new Set(found.map((api) => api._id.toHexString()));
    const missing = added.find(({ id }) => !foundIds.has(id));
    return missing ? [unusable(missing.index)] : [];
  }

  async addReferences(organization: Featuring, ids: readonly string[]): Promise<FieldError[]> {
    for (const { id, index } of addedTo(organization, ids)) {
      const featurable = { organizationId: organization._id, isPublic: true, _id: new Types.ObjectId(id) };
      if (!(await addReference(this.apis, featurable))) return [unusable(index)];
    }
    return [];
  }
}

/** The ids that the Organization does not feature yet, with their place in the list. */
function addedTo({ featuredApiIds = [] }: Featuring, ids: readonly string[]): { id: string; index: number }[] {
  const featured = new Set(featuredApiIds.map(String));
  return ids.map((id, index) => ({ id, index })).filter(({ id }) => !featured.has(id));
}

function unusable(index: number): FieldError {
  return fieldError('namesNothing', `featuredApiIds.${index}`, 'is not a public API of this Organization');
}
