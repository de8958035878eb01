import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { messageOf } from '../errors/message-of';
import { File } from './file.schema';

/** How long a File is kept that is no logo (ms). */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** How long after the start the first sweep comes, and how long each waits for the next (ms). */
const FIRST_MS = 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;

/**
 * Removes Files that nobody made a logo within a day, or that were replaced as one a day ago. Every instance sweeps:
 * two at once find the same, and the later one nothing.
 */
@Injectable()
export class FileSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Files');
  private first: NodeJS.Timeout | undefined;
  private every: NodeJS.Timeout | undefined;

  constructor(@InjectModel(File.name) private readonly files: Model<File>) {}

  onApplicationBootstrap(): void {
    this.first = setTimeout(() => void this.tick(), FIRST_MS).unref();
    this.every = setInterval(() => void this.tick(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearTimeout(this.first);
    clearInterval(this.every);
  }

  /**
   * Removes what is due. That a File is no logo stands in the filter: one that becomes a logo meanwhile stays.
   *
   * @returns how many Files were removed
   */
  async sweep(): Promise<number> {
    const due = { unattachedSince: { $lt: new Date(Date.now() - KEPT_MS) }, organizationId: null };
    return (await this.files.deleteMany(due)).deletedCount;
  }

  /** A sweep that fails is made up for by the next. */
  private async tick(): Promise<void> {
    try {
      const removed = await this.sweep();
      if (removed > 0) this.log.log(`Removed unattached files: ${removed}`);
    } catch (error) {
      this.log.warn(`Unattached files could not be removed: ${messageOf(error)}`);
    }
  }
}
