import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, ConnectionStates } from 'mongoose';
import { Settings } from '../config/settings';
import { Readiness } from '../health/readiness';
import { messageOf } from '../logging/message-of';
import { buildIndexes } from './index-build';

/** How long the start waits before it asks a database again that did not answer (ms). */
const RETRY_MS = 1000;

/** Something that must be in the database before the service is ready. */
export type Preparation = () => Promise<void>;

/**
 * Connects, builds the indexes, and runs what modules registered with `beforeReady`. The service listens meanwhile and
 * is not ready; a database that is down is asked again until it answers.
 */
@Injectable()
export class DatabaseStart implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly preparations: Preparation[] = [];
  private stopped = false;

  /** Settles when the database is prepared, or has been found unfit; resolves to whether it is fit. */
  ready: Promise<boolean> = Promise.resolve(false);

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly readiness: Readiness,
    private readonly settings: Settings,
  ) {
    readiness.pending('database');
    readiness.probe('database', () => connection.db?.command({ ping: 1 }) ?? Promise.resolve());
  }

  /** Adds work to be done once the indexes are built and before the service is ready. */
  beforeReady(preparation: Preparation): void {
    this.preparations.push(preparation);
  }

  onApplicationBootstrap(): void {
    this.ready = this.prepare();
  }

  onModuleDestroy(): void {
    this.stopped = true;
  }

  private async prepare(): Promise<boolean> {
    while (!this.stopped) {
      try {
        await this.connect();
        await buildIndexes(this.connection);
        for (const preparation of this.preparations) await preparation();
        this.readiness.set('database', true);
        return true;
      } catch (error) {
        if (this.stopped) return false;
        this.readiness.set('database', messageOf(error));
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    return false;
  }

  /** Mongoose gives up for good after its first attempt at a server that does not answer; this does not. */
  private async connect(): Promise<void> {
    await this.connection.asPromise().catch(async () => {
      if (this.connection.readyState === ConnectionStates.connected) return;
      await this.connection.openUri(this.settings.mongodbUri ?? '');
    });
  }
}
