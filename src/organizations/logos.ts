import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../access/account';
import { fault, Fault } from '../http/faults';
import type { OrganizationBody, ShownOrganization } from './organization.dto';
import type { Organization } from './organization.schema';

type Logo = Pick<OrganizationBody, 'organizationLogoFileId'>;

/** The File that is an Organization's logo (contract §3 Organization). The present one stays as it is. */
@Injectable()
export class Logos {
  /** The logo of a body as it is stored. */
  fields({ organizationLogoFileId: id }: Logo): Pick<Organization, 'organizationLogoFileId'> {
    return { organizationLogoFileId: id === null ? null : new Types.ObjectId(id) };
  }

  /** Whether a body changes the logo. */
  touched(record: ShownOrganization | undefined, { organizationLogoFileId: id }: Logo): boolean {
    return id !== (record?.organizationLogoFileId?.toHexString() ?? null);
  }

  /** The fault, if any, of a new logo. */
  check(_caller: Account, record: ShownOrganization | undefined, body: Logo): Promise<Fault[]> {
    const isFaulty = body.organizationLogoFileId !== null && this.touched(record, body);
    return Promise.resolve(isFaulty ? [fault('namesNothing', 'organizationLogoFileId')] : []);
  }

  /** Writes the Files that a body makes a logo, or one no more, or gives its fault. To be run inside the Organization's transaction. */
  replace(caller: Account, record: ShownOrganization | undefined, body: Logo): Promise<Fault[]> {
    return this.check(caller, record, body);
  }
}
