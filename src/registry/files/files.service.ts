import { Injectable } from '@nestjs/common';
import { mongo, Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { HourlySweeps } from '../../platform/records/start/hourly-sweeps';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import type { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { UsersService } from '../users/users.service';
import type { FileQuery } from './file.dto';
import { File, FileRecord } from './file.schema';
import type { Upload } from './upload';

/** How long a File is kept that is not a logo (ms). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The limits of the Files of a User that are no logo. */
const LIMITS = [
  { most: 20, where: { organizationId: null, wasLogo: { $ne: true } } },
  { most: 100, where: { organizationId: null } },
];

/** `/files` (contract §4), and the Files that are logos of Organizations. */
@Injectable()
export class FilesService {
  constructor(
    @InjectRecords(File.name) private readonly files: Records<FileRecord>,
    users: UsersService,
    sweeps: HourlySweeps,
  ) {
    users.beforeRemoval(async ({ _id }) => void (await files.removeAll({ createdBy: _id, organizationId: null })));
    sweeps.add('files that were not a logo for a day', () => this.sweep());
  }

  @Loads('files/:id', { description: 'The File', notFound: 'fileNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.files.get(id);
    return record && { record, ownership: { ownerId: record.createdBy, isPublic: record.organizationId !== null } };
  }

  /** Admins see all Files, others their own (contract §4). */
  list(caller: Account, query: FileQuery): Promise<Page<FileRecord>> {
    const wanted = query.createdBy === undefined ? {} : { createdBy: query.createdBy };
    return this.files.page(query, caller.isAdmin ? wanted : { createdBy: caller._id, $and: [wanted] });
  }

  /** Stores an upload. Its User is written too, so two uploads cannot both count the same files. @throws ApiError tooManyFiles, tooMany */
  async create({ _id: createdBy }: Account, { fileName, contentType, bytes }: Upload): Promise<FileRecord> {
    const upload = { fileName, contentType, size: bytes.length, data: bytes, unattachedSince: new Date() };
    const file = await this.files.insert(upload, { createdBy });
    for (const { most, where } of LIMITS)
      if ((await this.files.count({ createdBy, ...where }, most + 1)) > most) throw apiError('tooManyFiles');
    return file;
  }

  /** The bytes of a File. @throws ApiError fileNotFound when it was deleted since the request was authorized */
  async read(_id: Types.ObjectId): Promise<Buffer> {
    const [file] = await this.files.find<{ data: mongo.Binary }>({ _id }, { only: ['data'] });
    if (!file) throw apiError('fileNotFound');
    return Buffer.from(file.data.buffer);
  }

  /** Deletes a File that is not a logo. @throws ApiError preconditionFailed, fileInUse */
  async remove(file: FileRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(file);
    // Read in the transaction: a write that makes it a logo meanwhile changes it too, so they cannot both commit.
    if ((await this.files.get(file._id))?.organizationId) throw apiError('fileInUse');
    await this.files.remove(file);
  }

  /** Deletes Files that have not been a logo for a day. One that becomes a logo in the meantime stays. */
  sweep(): Promise<number> {
    const due = { unattachedSince: { $lt: new Date(Date.now() - KEPT_MS) }, organizationId: null };
    return this.files.removeAll(due);
  }

  /**
   * Makes another File the logo of an Organization: one that the caller uploaded (for an Admin any) and that is no
   * logo. The one before stays with its uploader for another day.
   * @returns whether the caller may use it
   */
  async replaceLogo(
    caller: Account,
    organizationId: Types.ObjectId,
    before: Types.ObjectId | null,
    logo: Types.ObjectId | string | null,
  ): Promise<boolean> {
    if (before) {
      const detach = { $set: { organizationId: null, unattachedSince: new Date(), wasLogo: true } };
      await this.files.updateInternal({ _id: before, organizationId }, detach);
    }
    if (logo === null) return true;
    const own = caller.isAdmin ? {} : { createdBy: caller._id };
    const attach = { $set: { organizationId, unattachedSince: null } };
    return this.files.updateInternal({ _id: logo, organizationId: null, ...own }, attach);
  }
}
