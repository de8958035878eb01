import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { DatabaseStart } from '../database/database-start';
import { withTimeout } from '../database/with-timeout';
import { messageOf } from '../errors/message-of';

/** How long the database may take to respond (ms): less than the time-outs of load balancers. */
const PING_TIMEOUT_MS = 1000;

/** Whether load balancers should send requests to this instance. Reasons are only logged: they can contain host names. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private readonly log = new Logger('Readiness');
  private stopping = false;
  /** Why the last ping failed, if it did. */
  private pingError: string | undefined;

  constructor(
    private readonly start: DatabaseStart,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  /** The first step of Nest's shutdown, before anything is closed. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** The names of the conditions that do not hold: `database`, `admin`, `shutdown`. */
  async unmet(): Promise<string[]> {
    const problem = this.start.problem();
    const known = [...(problem ? [problem.condition] : []), ...(this.stopping ? ['shutdown'] : [])];
    if (known.length > 0) return known;
    const pingError = await this.ping().then(() => undefined, messageOf);
    this.logChange(pingError);
    return pingError === undefined ? [] : ['database'];
  }

  private async ping(): Promise<void> {
    const { db } = this.connection;
    if (!db) throw new Error('not connected');
    const late = (): Error => new Error(`no response within ${PING_TIMEOUT_MS} ms`);
    await withTimeout(PING_TIMEOUT_MS, db.command({ ping: 1 }), late);
  }

  /** One line per change: load balancers ask every few seconds. */
  private logChange(pingError: string | undefined): void {
    if (pingError === this.pingError) return;
    this.pingError = pingError;
    if (pingError === undefined) this.log.log('Ready: database');
    else this.log.warn(`Not ready: database: ${pingError}`);
  }
}
