import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import type { AnyModel } from '../connection/any-model';
import { isDatabaseUnavailable } from '../connection/database-errors';
import { searchedFields } from '../derived-fields';
import { searchIndexOf, stopSearch } from './search-index';

/** Time from the start to the first builds, and from one look to the next (ms), so that a search never finds much new. */
const FIRST_MS = 2000;
const INTERVAL_MS = 60_000;

/** Keeps the indexes of all Models that `q` searches, in the background. */
@Injectable()
export class SearchIndexes implements OnApplicationShutdown {
  private readonly log = new Logger('Search');
  private isStopped = false;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Begins soon, when the service is ready and all indexes of the database exist. */
  async start(): Promise<void> {
    for (let wait = FIRST_MS; !this.isStopped; wait = INTERVAL_MS) {
      await sleep(wait, undefined, { ref: false });
      await this.keep();
    }
  }

  /** Builds the indexes that are missing or old, one after the other, and brings the others up to date. */
  async keep(): Promise<void> {
    for (const model of Object.values<AnyModel>(this.connection.models)) {
      if (this.isStopped || searchedFields(model.schema).length === 0) continue;
      await searchIndexOf(model)
        .keep()
        .catch((error: unknown) => {
          if (this.isStopped || isDatabaseUnavailable(error)) return;
          this.log.warn(`Searches of ${model.collection.name} read all records: ${messageOf(error)}`);
        });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await stopSearch(this.connection);
  }
}
