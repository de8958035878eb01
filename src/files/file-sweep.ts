import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { File, FileRecord } from './file.schema';

/** How long a File is kept that is not a logo (ms). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Time from the start to the first sweep, and from one to the next (ms). */
const FIRST_MS = 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes Files that have not been a logo for a day. Every instance does, at any time. */
@Injectable()
export class FileSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Files');
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectRecords(File.name) private readonly files: Records<FileRecord>) {}

  onApplicationBootstrap(): void {
    this.sweepIn(FIRST_MS);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** Deletes the Files that are due, and returns how many. One that becomes a logo in the meantime stays. */
  sweep(): Promise<number> {
    const due = { unattachedSince: { $lt: new Date(Date.now() - KEPT_MS) }, organizationId: null };
    return this.files.removeAll(due);
  }

  private sweepIn(ms: number): void {
    this.timer = setTimeout(() => {
      this.sweepIn(INTERVAL_MS);
      this.sweep().then(
        (deleted) => deleted > 0 && this.log.log(`Deleted ${deleted} files that were not a logo for a day`),
        (error: unknown) => this.log.warn(`Files that are not a logo could not be deleted: ${String(error)}`),
      );
    }, ms).unref();
  }
}
