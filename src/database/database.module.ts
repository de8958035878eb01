import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import mongoose, { type Connection } from 'mongoose';
import { Settings } from '../config/settings';
import { ClosedSockets } from './closed-sockets';
import { connectionOptions } from './connection-options';
import { DatabaseStart } from './database-start';
import { PoolUsage } from './pool-usage';
import { RecordLoader } from './record-loader';
import { RecordWriter } from './record-writer';
import { Transactions } from './transactions';

// Every mongoose operation inside `Transactions.run` takes part in the transaction automatically.
mongoose.set('transactionAsyncLocalStorage', true);

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
        connectionFactory: (connection: Connection) => connection.on('error', () => undefined),
      }),
    }),
  ],
  providers: [ClosedSockets, DatabaseStart, PoolUsage, RecordLoader, RecordWriter, Transactions],
  exports: [DatabaseStart, MongooseModule, PoolUsage, RecordLoader, RecordWriter, Transactions],
})
export class DatabaseModule {}
