import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../auth/account';
import { FieldError, invalidContent } from '../errors/field-error';
import { FeaturedApis } from './featured-apis';
import { Logos } from './logos';
import type { OrganizationInput, OrganizationRecord } from './organization.dto';
import type { Organization } from './organization.schema';

type References = Pick<OrganizationInput, 'featuredApiIds' | 'organizationLogoFileId'>;

/** What an Organization refers to: its featured Apis and its logo (contract §3 Organization). */
@Injectable()
export class OrganizationReferences {
  constructor(
    private readonly featured: FeaturedApis,
    private readonly logos: Logos,
  ) {}

  /** The references of a body as they are stored. */
  fields(body: References): Pick<Organization, 'featuredApiIds' | 'organizationLogoFileId'> {
    return { ...this.featured.fields(body), ...this.logos.fields(body) };
  }

  /** Whether a body changes references so that more than the Organization's own record is written. */
  touched(record: OrganizationRecord, body: References): boolean {
    return this.featured.touched(record, body) || this.logos.touched(record, body);
  }

  /** The faults of the references that a body adds; judged before If-Match is looked at (contract §2). */
  async check(caller: Account, record: OrganizationRecord, body: References): Promise<FieldError[]> {
    return [...(await this.featured.check(record, body)), ...(await this.logos.check(caller, record, body))];
  }

  /**
   * Writes what the body newly refers to. To be run inside the transaction that writes the Organization.
   *
   * @param _id the Organization's
   * @param record the Organization; none for one that is being created
   * @throws InvalidContent namesNothing, when what `check` found is gone
   */
  async replace(
    caller: Account,
    _id: Types.ObjectId,
    record: OrganizationRecord | undefined,
    body: References,
  ): Promise<void> {
    const featured = await this.featured.linkAdded(record, body);
    const faults = [...featured, ...(await this.logos.replace(caller, _id, record, body))];
    if (faults.length > 0) throw invalidContent(...faults);
  }
}
