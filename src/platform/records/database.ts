import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { DriverState } from './driver/driver-state';
import type { ServerQuirks } from './driver/quirks';
import { quirksOf } from './embedded-database/server-quirks';

/** The connection to the database, and what is known of it. */
@Injectable()
export class Database {
  readonly driver: DriverState;
  private known: ServerQuirks | undefined;

  constructor(@InjectConnection() readonly connection: Connection) {
    this.driver = new DriverState(connection);
  }

  /** The quirks of the server, which is asked once what it is. */
  async quirks(): Promise<ServerQuirks> {
    return (this.known ??= await quirksOf(this.connection));
  }
}
