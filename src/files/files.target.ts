import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';
import { Loader } from '../database/loader';
import { SHOWN_FILE, FileRecord } from './file.dto';
import { File } from './file.schema';

/** `files/:id` in a path. */
@Injectable()
export class FileTarget implements TargetFinder<FileRecord> {
  readonly segment = 'files/:id';
  readonly failure = 'fileNotFound';
  private readonly loader: Loader<File>;

  constructor(@InjectModel(File.name) files: Model<File>, targets: Targets) {
    this.loader = new Loader(files, SHOWN_FILE);
    targets.register(this);
  }

  async find(id: string): Promise<Found<FileRecord> | undefined> {
    const record = await this.loader.load(id);
    return record && { record, ownerId: record.createdBy };
  }
}
