import { DynamicModule, Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Connection, ConnectOptions } from 'mongoose';
import { Settings } from '../../base/settings/settings';
import { ClosedSockets } from '../driver/closed-sockets';
import { connectionOptions } from '../driver/connection-options';
import { CONNECT_OPTIONS, DatabaseStart } from './database-start';
import { Database } from '../database';
import { HourlySweeps } from './hourly-sweeps';
import { AllRecords } from '../records.module';
import { Transactions } from '../transactions/transactions';

/** The connection, and what all modules use to read and write records. Each resource's module registers its Model. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param changed options of the driver, for a command or a test */
  static forRoot(changed: ConnectOptions): DynamicModule {
    const options = { ...connectionOptions, ...changed };
    const mongoose = MongooseModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ mongodbUri }: Settings) => ({
        ...options,
        uri: mongodbUri,
        lazyConnection: true,
        // Without a listener, a database that is absent during a slow start would end the process.
        connectionFactory: (connection: Connection) => connection.on('error', () => undefined),
      }),
    });
    return {
      module: DatabaseModule,
      imports: [mongoose],
      providers: [
        ...[AllRecords, ClosedSockets, Database, DatabaseStart, HourlySweeps, Transactions],
        { provide: CONNECT_OPTIONS, useValue: options },
      ],
      exports: [AllRecords, Database, DatabaseStart, HourlySweeps, MongooseModule, Transactions],
    };
  }
}
