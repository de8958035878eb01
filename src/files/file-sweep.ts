import { Injectable } from '@nestjs/common';
import { HourlySweep } from '../database/hourly-sweep';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { File, FileRecord } from './file.schema';

/** How long a File is kept that is not a logo (ms). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Deletes Files that have not been a logo for a day. One that becomes a logo in the meantime stays. */
@Injectable()
export class FileSweep extends HourlySweep {
  constructor(@InjectRecords(File.name) private readonly files: Records<FileRecord>) {
    super('files that were not a logo for a day');
  }

  sweep(): Promise<number> {
    const due = { unattachedSince: { $lt: new Date(Date.now() - KEPT_MS) }, organizationId: null };
    return this.files.removeAll(due);
  }
}
