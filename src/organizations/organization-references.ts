import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../access/account';
import { fault, Fault, invalid } from '../http/faults';
import type { OrganizationBody, ShownOrganization } from './organization.dto';
import type { Organization } from './organization.schema';

type References = Pick<OrganizationBody, 'featuredApiIds' | 'organizationLogoFileId'>;

/** What an Organization refers to: its featured Apis and its logo (contract §3 Organization). */
@Injectable()
export class OrganizationReferences {
  /** The references of a body as they are stored. */
  fields({
    featuredApiIds,
    organizationLogoFileId: logo,
  }: References): Pick<Organization, 'featuredApiIds' | 'organizationLogoFileId'> {
    return {
      featuredApiIds: featuredApiIds.map((id) => new Types.ObjectId(id)),
      organizationLogoFileId: logo === null ? null : new Types.ObjectId(logo),
    };
  }

  /** Whether a body changes what the Organization refers to, so that more than its own record is written. */
  touched(record: ShownOrganization, body: References): boolean {
    return this.added(record, body).length > 0;
  }

  /**
   * Judges the references that a body adds, before If-Match is looked at (contract §2).
   *
   * @throws InvalidContent namesNothing
   */
  async check(_caller: Account, record: ShownOrganization | undefined, body: References): Promise<void> {
    const found = this.added(record, body);
    if (found.length > 0) throw invalid(...found);
    return Promise.resolve();
  }

  /** Writes what the body newly refers to. To be run inside the transaction that writes the Organization. */
  replace(caller: Account, record: ShownOrganization | undefined, body: References): Promise<void> {
    return this.check(caller, record, body);
  }

  private added(record: ShownOrganization | undefined, body: References): Fault[] {
    const featured = new Set(record?.featuredApiIds.map(String));
    const index = body.featuredApiIds.findIndex((id) => !featured.has(id));
    const faults = index === -1 ? [] : [fault('namesNothing', `featuredApiIds.${index}`)];
    const logo = body.organizationLogoFileId;
    if (logo !== null && logo !== record?.organizationLogoFileId?.toHexString()) {
      faults.push(fault('namesNothing', 'organizationLogoFileId'));
    }
    return faults;
  }
}
