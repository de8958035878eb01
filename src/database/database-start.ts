import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, ConnectionStates } from 'mongoose';
import { Settings } from '../config/settings';
import { messageOf } from '../errors/message-of';
import { connectionOptions } from './connection-options';
import { refuseEarlierData } from './earlier-data';
import { buildIndexes } from './index-build';
import { DatabaseProblem, NotReadyError } from './not-ready-error';

/** How long to wait before another attempt to reach a database that does not respond (ms). */
const RETRY_MS = 1000;

/** Something that must be in the database before the service is ready. */
export type Preparation = () => Promise<void>;

/**
 * Connects, builds the indexes, and runs the preparations that modules registered. Meanwhile the service listens and is
 * not ready; a database that does not respond is tried again until it does.
 */
@Injectable()
export class DatabaseStart implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly preparations: Preparation[] = [];
  private readonly log = new Logger('Database');
  private current: DatabaseProblem | undefined = { condition: 'database', reason: 'not connected yet' };
  private stopped = false;

  /** Resolves to whether the database could be prepared, once that is known. */
  ready: Promise<boolean> = Promise.resolve(false);

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly settings: Settings,
  ) {}

  /** Why the service is not ready; undefined when it is. */
  problem(): DatabaseProblem | undefined {
    return this.current;
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
        await refuseEarlierData(this.connection);
        await buildIndexes(this.connection);
        for (const preparation of this.preparations) await preparation();
        this.report(undefined);
        return true;
      } catch (error) {
        if (this.stopped) return false;
        this.report(error instanceof NotReadyError ? error : { condition: 'database', reason: messageOf(error) });
        if (error instanceof NotReadyError) return false;
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    return false;
  }

  private report(problem: DatabaseProblem | undefined): void {
    if (problem && problem.reason !== this.current?.reason) {
      this.log.warn(`Not ready: ${problem.condition}: ${problem.reason}`);
    }
    this.current = problem;
  }

  /** Tries until a server responds; mongoose itself gives up after its first attempt. */
  private async connect(): Promise<void> {
    await this.connection.asPromise().catch(async () => {
      if (this.connection.readyState === ConnectionStates.connected) return;
      await this.connection.openUri(this.settings.mongodbUri, connectionOptions);
    });
  }
}
