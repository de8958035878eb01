import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { File } from './file.schema';

/** How long a File is kept that is not a logo (ms). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Time from the start to the first sweep, and between sweeps (ms). */
const FIRST_MS = 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Deletes Files that have not been a logo for a day. Every instance sweeps: if two do at the same time, the second
 * finds nothing left to delete.
 */
@Injectable()
export class FileSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Files');
  private first: NodeJS.Timeout | undefined;
  private interval: NodeJS.Timeout | undefined;

  constructor(@InjectModel(File.name) private readonly files: Model<File>) {}

  onApplicationBootstrap(): void {
    this.first = setTimeout(() => void this.tick(), FIRST_MS).unref();
    this.interval = setInterval(() => void this.tick(), INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.first);
    clearInterval(this.interval);
  }

  /** Deletes the Files that are due, and returns how many. One that becomes a logo in the meantime stays. */
  async sweep(): Promise<number> {
    const due = { unattachedSince: { $lt: new Date(Date.now() - KEPT_MS) }, organizationId: null };
    return (await this.files.deleteMany(due)).deletedCount;
  }

  /** If a sweep fails, the next one deletes what it left. */
  private async tick(): Promise<void> {
    try {
      const deleted = await this.sweep();
      if (deleted > 0) this.log.log(`Deleted ${deleted} files that were not a logo for a day`);
    } catch (error) {
      this.log.warn(`Files that are not a logo could not be deleted: ${String(error)}`);
    }
  }
}
