import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { DatabaseStart } from '../../records/start/database-start';
import { messageOf } from '../../base/errors/message-of';

/** How long the database may take to respond (ms): less than the time-outs of load balancers. */
const WRITE_TIMEOUT_MS = 1000;

/** How long the result of a write counts (ms), however many ask. */
const INTERVAL_MS = 1000;

/** Failed writes in a row before the instance is not ready: while members elect a primary, one fails everywhere. */
const MAX_FAILURES = 2;

/** Tells load balancers whether to send requests here. Reasons are only logged: they can contain host names. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private readonly log = new Logger('Readiness');
  private stopping = false;
  /** Number of the last writes that failed, one after the other. */
  private failures = 0;
  /** Why the database counts as not writable, if it does. */
  private writeError: string | undefined;
  private lastWrite: Promise<string | undefined> | undefined;

  constructor(
    private readonly start: DatabaseStart,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  /** The first step of Nest's shutdown, before anything is closed. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** The names of the conditions that do not hold: `database`, `admin`, `shutdown`. */
  async failedChecks(): Promise<string[]> {
    const { unmetCondition } = this.start;
    const known = [...(unmetCondition ? [unmetCondition] : []), ...(this.stopping ? ['shutdown'] : [])];
    if (known.length > 0) return known;
    return (await this.checkWritable()) === undefined ? [] : ['database'];
  }

  /** Reason why the database cannot store anything now. It may respond and have a full disk, so this writes. */
  private checkWritable(): Promise<string | undefined> {
    if (!this.lastWrite) {
      const error = this.write().then(() => undefined, messageOf);
      this.lastWrite = error.then((reason) => {
        this.failures = reason === undefined ? 0 : this.failures + 1;
        return this.logChange(this.failures < MAX_FAILURES ? undefined : reason);
      });
      setTimeout(() => (this.lastWrite = undefined), INTERVAL_MS).unref();
    }
    return this.lastWrite;
  }

  private async write(): Promise<void> {
    const checks = this.connection.collection<{ _id: string; at: Date }>('health');
    const written = checks.updateOne({ _id: 'ready' }, { $set: { at: new Date() } }, { upsert: true });
    const late = sleep(WRITE_TIMEOUT_MS, `no response within ${WRITE_TIMEOUT_MS} ms`, { ref: false });
    await Promise.race([written, late.then((message) => Promise.reject(new Error(message)))]);
  }

  /** One line per change: load balancers ask every few seconds. */
  private logChange(writeError: string | undefined): string | undefined {
    if (writeError === this.writeError) return writeError;
    this.writeError = writeError;
    if (writeError === undefined) this.log.log('Ready: database');
    else this.log.warn(`Not ready: database: ${writeError}`);
    return writeError;
  }
}
