import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, mongo, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { Change } from '../auth/change';
import { addReference } from '../database/references';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { User } from '../users/user.schema';
import { FileRecord } from './file.dto';
import { File, MAX_UNATTACHED } from './file.schema';
import type { Upload } from './upload';

/** Files as such. What makes one a logo, or one no more, is a write of its Organization (organizations/logos.ts). */
@Injectable()
export class FilesService {
  constructor(
    @InjectModel(File.name) private readonly files: Model<File>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Keeps an upload. Its User is written in the same transaction, so that two uploads of one User cannot both count the
   * same files, and none outlives its User.
   *
   * @throws Failure accountGone, tooManyFiles, concurrentChange
   */
  async create(caller: Account, { fileName, contentType, bytes }: Upload): Promise<FileRecord> {
    const now = new Date();
    const file: File = {
      _id: new Types.ObjectId(),
      fileName,
      contentType,
      size: bytes.length,
      data: bytes,
      organizationId: null,
      unattachedSince: now,
      createdBy: caller._id,
      createdAt: now,
      revision: 0,
    };
    await this.transactions.run(async () => {
      if (!(await addReference(this.users, { _id: caller._id }))) throw apiError('accountGone');
      const unattached = await this.files.countDocuments({ createdBy: caller._id, organizationId: null });
      if (unattached >= MAX_UNATTACHED) throw apiError('tooManyFiles');
      await this.files.create([file]);
    });
    return file;
  }

  /**
   * The bytes of a File.
   *
   * @throws Failure fileNotFound when it is gone since the request was judged
   */
  async read(_id: Types.ObjectId): Promise<Buffer> {
    const file = await this.files.findOne({ _id }, { data: 1 }).lean<{ data: mongo.Binary } | null>();
    if (!file) throw apiError('fileNotFound');
    return Buffer.from(file.data.buffer);
  }

  /**
   * Deletes a File that is no logo.
   *
   * @throws Failure preconditionFailed, fileInUse, concurrentChange
   */
  async remove(file: Change<FileRecord>): Promise<void> {
    await file.write((record) => {
      file.requireMatch();
      if (record.organizationId) throw apiError('fileInUse');
      return this.transactions.attempt(async () => {
        const deleted = await this.files.deleteOne({ _id: record._id, organizationId: null });
        return deleted.deletedCount === 1 || undefined;
      });
    });
  }
}
