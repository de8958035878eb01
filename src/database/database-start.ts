import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, ConnectionStates } from 'mongoose';
import { Settings } from '../config/settings';
import { messageOf } from '../errors/message-of';
import { buildIndexes } from './index-build';

/** How long the start waits before it asks a database again that did not answer (ms). */
const RETRY_MS = 1000;

/** Why the service is not ready. */
export interface DatabaseProblem {
  readonly condition: 'database' | 'admin';
  /** For the log only: it can contain host names. */
  readonly reason: string;
}

/** A preparation cannot succeed until somebody changes something. */
export class NotReadyError extends Error implements DatabaseProblem {
  constructor(
    readonly condition: DatabaseProblem['condition'],
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Something that must be in the database before the service is ready. */
export type Preparation = () => Promise<void>;

/**
 * Connects, builds the indexes, and runs what modules registered with `beforeReady`. The service listens meanwhile and
 * is not ready; a database that is down is asked again until it answers.
 */
@Injectable()
export class DatabaseStart implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly preparations: Preparation[] = [];
  private readonly log = new Logger('Database');
  private current: DatabaseProblem | undefined = { condition: 'database', reason: 'not connected yet' };
  private stopped = false;

  /** Settles when the database is prepared, or has been found unfit; resolves to whether it is fit. */
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

  /** Mongoose gives up for good after its first attempt at a server that does not answer; this does not. */
  private async connect(): Promise<void> {
    await this.connection.asPromise().catch(async () => {
      if (this.connection.readyState === ConnectionStates.connected) return;
      await this.connection.openUri(this.settings.mongodbUri);
    });
  }
}
