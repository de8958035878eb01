import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { fault, Fault } from '../http/faults';
import type { OrganizationBody, ShownOrganization } from './organization.dto';
import type { Organization } from './organization.schema';

type Featured = Pick<OrganizationBody, 'featuredApiIds'>;

/** The Apis that an Organization features (contract §3 Organization). Those that it features already stay as they are. */
@Injectable()
export class FeaturedApis {
  /** The featured Apis of a body as they are stored. */
  fields({ featuredApiIds }: Featured): Pick<Organization, 'featuredApiIds'> {
    return { featuredApiIds: featuredApiIds.map((id) => new Types.ObjectId(id)) };
  }

  /** Whether a body features Apis that the Organization does not feature yet. */
  touched(record: ShownOrganization | undefined, body: Featured): boolean {
    return added(record, body).length > 0;
  }

  /** The fault, if any, of what a body newly features. */
  check(record: ShownOrganization | undefined, body: Featured): Promise<Fault[]> {
    const [first] = added(record, body);
    return Promise.resolve(first ? [fault('namesNothing', `featuredApiIds.${first.index}`)] : []);
  }

  /** Writes what a body newly features, or gives its fault. To be run inside the Organization's transaction. */
  replace(record: ShownOrganization | undefined, body: Featured): Promise<Fault[]> {
    return this.check(record, body);
  }
}

/** What a body newly features, with its place in the list. */
function added(record: ShownOrganization | undefined, { featuredApiIds }: Featured): { id: string; index: number }[] {
  const featured = new Set(record?.featuredApiIds.map(String));
  return featuredApiIds.map((id, index) => ({ id, index })).filter(({ id }) => !featured.has(id));
}
