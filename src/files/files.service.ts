import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, mongo, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { addReference } from '../database/references';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { User } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { File, FileRecord, MAX_UNATTACHED } from './file.schema';
import type { Upload } from './upload';

/** `/files` (contract §4), and the Files that are logos of Organizations. */
@Injectable()
export class FilesService implements OnModuleInit {
  constructor(
    @InjectModel(File.name) private readonly files: Model<File>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly usersService: UsersService,
    private readonly transactions: Transactions,
  ) {}

  /** A User's files are deleted with them, unless they are logos. */
  onModuleInit(): void {
    this.usersService.onDelete(async ({ _id }) => {
      await this.files.deleteMany({ createdBy: _id, organizationId: null });
    });
  }

  /**
   * Stores an upload. Its User is written in the same transaction, so two uploads of one User cannot both count the same
   * files, and no file outlives its User.
   * @throws ApiError accountGone, tooManyFiles, concurrentChange
   */
  async create(caller: Account, { fileName, contentType, bytes }: Upload): Promise<FileRecord> {
    const now = new Date();
    const created = { createdBy: caller._id, createdAt: now, revision: 0 };
    const content = { fileName, contentType, size: bytes.length };
    const file: FileRecord = { _id: new Types.ObjectId(), ...content, organizationId: null, ...created };
    await this.transactions.run(async () => {
      if (!(await addReference(this.users, { _id: caller._id }))) throw apiError('accountGone');
      const unattached = await this.files.countDocuments({ createdBy: caller._id, organizationId: null });
      if (unattached >= MAX_UNATTACHED) throw apiError('tooManyFiles');
      await this.files.create([{ ...file, data: bytes, unattachedSince: now }]);
    });
    return file;
  }

  /** The bytes of a File. @throws ApiError fileNotFound when it was deleted since the request was authorized */
  async read(_id: Types.ObjectId): Promise<Buffer> {
    const file = await this.files.findOne({ _id }, { data: 1 }).lean<{ data: mongo.Binary } | null>();
    if (!file) throw apiError('fileNotFound');
    return Buffer.from(file.data.buffer);
  }

  /** Deletes a File that is not a logo. @throws ApiError preconditionFailed, fileInUse, concurrentChange */
  async remove(file: ForUpdate<FileRecord>): Promise<void> {
    await file.write((record) => {
      file.requireMatch();
      if (record.organizationId) throw apiError('fileInUse');
      return this.transactions.attempt(async () => {
        const deleted = await this.files.deleteOne({ _id: record._id, organizationId: null });
        return deleted.deletedCount === 1 || undefined;
      });
    });
  }

  /** Whether the caller may make this File a logo: it is theirs (an Admin may use any), and no logo yet. */
  async isAttachable(caller: Account, fileId: string): Promise<boolean> {
    return (await this.files.exists(attachable(caller, fileId))) !== null;
  }

  /**
   * Makes a File the logo of an Organization. To be called inside the Organization's transaction.
   * @returns false when the caller may not, or it was deleted or made another logo meanwhile
   */
  async attach(caller: Account, fileId: string, organizationId: Types.ObjectId): Promise<boolean> {
    const change = { $set: { organizationId, unattachedSince: null } };
    return (await this.files.updateOne(attachable(caller, fileId), change)).matchedCount === 1;
  }

  /**
   * Makes a logo its uploader's File again, for another day. To be called inside the Organization's transaction. The
   * uploader may then have more than 20 such files, and can upload none until some are deleted.
   */
  async detach(_id: Types.ObjectId, organizationId: Types.ObjectId): Promise<void> {
    const change = { $set: { organizationId: null, unattachedSince: new Date() } };
    await this.files.updateOne({ _id, organizationId }, change);
  }

  /** Deletes the logo of an Organization that is being deleted. To be called inside the same transaction. */
  async removeLogo(organizationId: Types.ObjectId, _id: Types.ObjectId): Promise<void> {
    await this.files.deleteOne({ _id, organizationId });
  }
}

function attachable(caller: Account, id: string): QueryFilter<File> {
  const own = caller.isAdmin ? {} : { createdBy: caller._id };
  return { _id: new Types.ObjectId(id), organizationId: null, ...own };
}
