import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { type Connection, type ConnectOptions, createConnection } from 'mongoose';
import { Settings } from '../../base/settings/settings';
import { StartError } from '../../base/errors/start-error';
import { Database } from '../database';
import { buildIndexes, IndexesMissing } from './index-build';
import { assertReadable, ImportUnfinished, recordVersion } from './data-version';
import { AllRecords } from '../records.module';

/** The token of the options of the driver. */
export const CONNECT_OPTIONS = 'CONNECT_OPTIONS';

/** Pause before another attempt to reach a database that does not respond (ms). */
const RETRY_MS = 1000;

/** The longest time to wait before another attempt to build an index (ms): each reads a whole collection. */
const MAX_RETRY_MS = 30_000;

/**
 * Time from the start to the first builds of the search indexes, and from one refresh to the next (ms). Until all are built,
 * the pauses grow from the one to the other.
 */
const FIRST_SEARCH_MS = 2000;
const SEARCH_MS = 60_000;

/** There is no Admin, and none can be created until somebody changes the settings or the records. */
export class NoAdminError extends Error {}

/**
 * Connects, builds the indexes, and runs the preparations that modules registered. Meanwhile the service listens and is
 * not ready; what somebody can repair in the database is tried again until it succeeds.
 */
@Injectable()
export class DatabaseStart implements OnApplicationBootstrap, OnModuleDestroy {
  /** Is set once this version can read what is stored. */
  isReadable = false;
  /** Resolves to whether the database could be prepared. Rejected with a StartError when the data is too new for this version. */
  ready: Promise<boolean> = Promise.resolve(false);

  /**
   * The condition that keeps the service from being ready and from accepting writes; undefined once all indexes exist,
   * and there is an Admin.
   */
  unmetCondition: 'database' | 'admin' | undefined = 'database';

  private readonly preparations: (() => Promise<void>)[] = [];
  private readonly log = new Logger('Database');
  /** The last reason in the log; callers do not see it, because it can contain host names. */
  private reason = '';
  private building: Connection | undefined;
  private isConnected = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly records: AllRecords,
    private readonly settings: Settings,
    @Inject(CONNECT_OPTIONS) private readonly options: ConnectOptions,
  ) {}

  /** Adds work to be done once the indexes are built and before the service is ready. */
  beforeReady(preparation: () => Promise<void>): void {
    this.preparations.push(preparation);
  }

  onApplicationBootstrap(): void {
    this.ready = this.prepare();
  }

  /** Ends a build: its sockets are closed immediately. The driver then asks the database to end its sessions, which may hang. */
  onModuleDestroy(): void {
    this.stopped = true;
    this.building?.destroy(true).catch(() => undefined);
  }

  private async prepare(): Promise<boolean> {
    for (let wait = RETRY_MS; !this.stopped; await sleep(wait, undefined, { ref: false })) {
      try {
        await this.connect();
        await assertReadable(this.database.connection);
        await recordVersion(this.database.connection);
        this.isReadable = true;
        await this.build(buildIndexes);
        // An import may have begun meanwhile.
        await assertReadable(this.database.connection);
        for (const preparation of this.preparations) await preparation();
        this.unmetCondition = undefined;
        void this.keepSearches();
        return true;
      } catch (error) {
        if (this.stopped) return false;
        if (error instanceof StartError && !(error instanceof ImportUnfinished)) throw error;
        if (error instanceof ImportUnfinished) this.isReadable = false;
        this.report(error);
        if (error instanceof NoAdminError) return false;
        wait = error instanceof IndexesMissing ? Math.min(2 * wait, MAX_RETRY_MS) : RETRY_MS;
      }
    }
    return false;
  }

  /** Only once the database has its indexes: without that of `updatedAt`, a refresh would read all records. */
  private async keepSearches(): Promise<void> {
    const { indexes } = this.records;
    for (let wait = FIRST_SEARCH_MS; !this.stopped;) {
      await sleep(wait, undefined, { ref: false });
      const areBuilt = this.stopped || (await indexes.keep());
      wait = areBuilt ? SEARCH_MS : Math.min(2 * wait, SEARCH_MS);
    }
  }

  /** Works over a connection of its own, where the build of a large index is not cut off by a time limit. */
  private async build<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const building = createConnection(this.settings.mongodbUri, { ...this.options, socketTimeoutMS: 0 });
    // Without a listener, a database that goes away would end the process.
    this.building = building.on('error', () => undefined);
    try {
      await building.asPromise();
      for (const { modelName, schema } of Object.values(this.database.connection.models))
        building.model(modelName, schema);
      return await work(building);
    } finally {
      await building.destroy(true);
    }
  }

  private report(error: unknown): void {
    this.unmetCondition = error instanceof NoAdminError ? 'admin' : 'database';
    const reason = this.database.driver.messageOf(error);
    if (reason !== this.reason) this.log.warn(`Not ready: ${this.unmetCondition}: ${reason}`);
    this.reason = reason;
  }

  /** Tries until a server responds; mongoose itself gives up after its first attempt. */
  private async connect(): Promise<void> {
    if (this.isConnected) return;
    const { connection } = this.database;
    await connection.asPromise().catch(() => connection.openUri(this.settings.mongodbUri, this.options));
    const { endAbandonedTransactions } = await this.database.quirks();
    await endAbandonedTransactions?.(connection);
    this.isConnected = true;
  }
}
