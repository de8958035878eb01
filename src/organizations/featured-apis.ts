import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import { Api } from '../apis/api.schema';
import { addReference } from '../database/references';
import { fieldError, FieldError } from '../errors/field-error';
import type { OrganizationInput, OrganizationRecord } from './organization.dto';
import type { Organization } from './organization.schema';

type Featured = Pick<OrganizationInput, 'featuredApiIds'>;

/**
 * The Apis that an Organization features: public ones of its own (contract §3 Organization). Those that it features
 * already need no look: turned private or deleted they leave it, which raises its revision.
 */
@Injectable()
export class FeaturedApis {
  constructor(@InjectModel(Api.name) private readonly apis: Model<Api>) {}

  /** The featured Apis of a body as they are stored. */
  fields({ featuredApiIds }: Featured): Pick<Organization, 'featuredApiIds'> {
    return { featuredApiIds: featuredApiIds.map((id) => new Types.ObjectId(id)) };
  }

  /** Whether a body features Apis that the Organization does not feature yet. */
  touched(record: OrganizationRecord, body: Featured): boolean {
    return added(record, body).length > 0;
  }

  /** The fault, if any, of what a body newly features. */
  async check(record: OrganizationRecord, body: Featured): Promise<FieldError[]> {
    const wanted = added(record, body);
    if (wanted.length === 0) return [];
    const _id = { $in: wanted.map(({ id }) => id) };
    const found = await this.apis.find({ ...featurable(record), _id }, { _id: 1 }).lean();
    const foundIds = new Set(found.map((api) => api._id.toHexString()));
    const missing = wanted.find(({ id }) => !foundIds.has(id.toHexString()));
    return missing ? [faultAt(missing.index)] : [];
  }

  /**
   * Links what a body newly features, so that none of it can be turned private or deleted unnoticed. To be run inside
   * the Organization's transaction.
   *
   * @param record the Organization; none for one that is being created, which has no Apis yet
   * @returns the fault, if any, of what `check` found and is gone
   */
  async linkAdded(record: OrganizationRecord | undefined, body: Featured): Promise<FieldError[]> {
    for (const { id, index } of added(record, body)) {
      const isLinked = record && (await addReference(this.apis, { ...featurable(record), _id: id }));
      if (!isLinked) return [faultAt(index)];
    }
    return [];
  }
}

/** What must hold of an Api that an Organization is to feature. */
function featurable({ _id }: OrganizationRecord): Pick<Api, 'organizationId' | 'isPublic'> {
  return { organizationId: _id, isPublic: true };
}

/** What a body newly features, with its place in the list. */
function added(
  record: OrganizationRecord | undefined,
  { featuredApiIds }: Featured,
): { id: Types.ObjectId; index: number }[] {
  const featured = new Set(record?.featuredApiIds.map(String));
  return featuredApiIds
    .map((id, index) => ({ id: new Types.ObjectId(id), index }))
    .filter(({ id }) => !featured.has(id.toHexString()));
}

function faultAt(index: number): FieldError {
  return fieldError('namesNothing', `featuredApiIds.${index}`, 'names no public Api of this Organization');
}
