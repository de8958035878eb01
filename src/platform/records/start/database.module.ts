import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Settings } from '../../base/settings/settings';
import { ClosedSockets } from '../driver/closed-sockets';
import { connectionOptions } from '../driver/connection-options';
import { DatabaseStart } from './database-start';
import { driverStateOf } from '../driver/driver-state';
import { HourlySweeps } from './hourly-sweeps';
import { AllRecords } from '../records.module';
import { Transactions } from '../transactions/transactions';

/** The connection, and what all modules use to read and write records. Each resource's module registers its Model. */
@Global()
@Module({
  imports: [
    MongooseModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ mongodbUri }: Settings) => ({
        ...connectionOptions,
        uri: mongodbUri,
        lazyConnection: true,
        // Without a listener, a database that is absent during a slow start would end the process.
        connectionFactory: (connection: Connection) => {
          driverStateOf(connection.on('error', () => undefined));
          return connection;
        },
      }),
    }),
  ],
  providers: [AllRecords, ClosedSockets, DatabaseStart, HourlySweeps, Transactions],
  exports: [AllRecords, DatabaseStart, HourlySweeps, MongooseModule, Transactions],
})
export class DatabaseModule {}
