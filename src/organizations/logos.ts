import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import { File } from '../files/file.schema';
import { fieldError, FieldError } from '../errors/field-error';
import type { OrganizationInput, OrganizationRecord } from './organization.dto';
import type { Organization } from './organization.schema';

type Logo = Pick<OrganizationInput, 'organizationLogoFileId'>;

/** The File that is an Organization's logo (contract §3 Organization). The present one stays as it is. */
@Injectable()
export class Logos {
  constructor(@InjectModel(File.name) private readonly files: Model<File>) {}

  /** The logo of a body as it is stored. */
  fields({ organizationLogoFileId: id }: Logo): Pick<Organization, 'organizationLogoFileId'> {
    return { organizationLogoFileId: id === null ? null : new Types.ObjectId(id) };
  }

  /** Whether a body changes the logo. */
  touched(record: OrganizationRecord | undefined, { organizationLogoFileId: id }: Logo): boolean {
    return id !== (record?.organizationLogoFileId?.toHexString() ?? null);
  }

  /** The fault, if any, of a new logo: it must be a File of the caller's (Admin: anyone's) that is no logo yet. */
  async check(caller: Account, record: OrganizationRecord, body: Logo): Promise<FieldError[]> {
    const { organizationLogoFileId: id } = body;
    if (id === null || !this.touched(record, body)) return [];
    return (await this.files.exists(attachable(caller, id))) ? [] : [notALogo()];
  }

  /**
   * Writes the Files that a body makes a logo, or one no more, or gives its fault. To be run inside the Organization's
   * transaction. The new logo is written under the condition that makes it one, so that it is deleted, swept or made
   * another Organization's logo either before this or not at all.
   *
   * @param _id the Organization's
   */
  async replace(
    caller: Account,
    _id: Types.ObjectId,
    record: OrganizationRecord | undefined,
    body: Logo,
  ): Promise<FieldError[]> {
    if (!this.touched(record, body)) return [];
    if (record?.organizationLogoFileId) await this.detach(_id, record.organizationLogoFileId);
    const { organizationLogoFileId: id } = body;
    if (id === null) return [];
    const change = { $set: { organizationId: _id, unattachedSince: null } };
    const attached = await this.files.updateOne(attachable(caller, id), change);
    return attached.matchedCount === 1 ? [] : [notALogo()];
  }

  /** Removes the logo of an Organization that is deleted. To be run inside the same transaction. */
  async remove({ _id, organizationLogoFileId: logo }: OrganizationRecord): Promise<void> {
    if (logo) await this.files.deleteOne({ _id: logo, organizationId: _id });
  }

  /**
   * The File is its uploader's again, for another day. It counts among their unattached ones, and may be one too many:
   * then they add none until it is gone, but nobody is kept from changing a logo.
   */
  private async detach(organizationId: Types.ObjectId, _id: Types.ObjectId): Promise<void> {
    const change = { $set: { organizationId: null, unattachedSince: new Date() } };
    await this.files.updateOne({ _id, organizationId }, change);
  }
}

function attachable(caller: Account, id: string): QueryFilter<File> {
  const own = caller.isAdmin ? {} : { createdBy: caller._id };
  return { _id: new Types.ObjectId(id), organizationId: null, ...own };
}

function notALogo(): FieldError {
  return fieldError('namesNothing', 'organizationLogoFileId');
}
