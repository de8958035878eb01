import { Global, Module } from '@nestjs/common';
import { MongooseModule, MongooseModuleOptions } from '@nestjs/mongoose';
import mongoose from 'mongoose';
import { Api, ApiSchema } from '../apis/api.schema';
import { Settings } from '../config/settings';
import { File, FileSchema } from '../files/file.schema';
import { Organization, OrganizationSchema } from '../organizations/organization.schema';
import { AdminList, AdminListSchema, User, UserSchema } from '../users/user.schema';
import { DatabaseStart } from './database-start';
import { Transactions } from './transactions';

// Inside `Transactions.run` every mongoose operation takes part without being told.
mongoose.set('transactionAsyncLocalStorage', true);

/**
 * How the driver is to behave: an operation on a database that does not answer fails within seconds. The driver's
 * defaults hang for 10 s or for ever, and its `timeoutMS` does nothing.
 */
function connectionOptions(settings: Settings): MongooseModuleOptions {
  return {
    uri: settings.mongodbUri,
    lazyConnection: true,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: 2000,
    socketTimeoutMS: 3000,
    connectTimeoutMS: 2000,
    maxPoolSize: 50,
    waitQueueTimeoutMS: 3000,
    writeConcern: { w: 'majority', journal: true },
  };
}

/** The connection and every Model, for all modules. */
@Global()
@Module({
  imports: [
    MongooseModule.forRootAsync({ inject: [Settings], useFactory: connectionOptions }),
    MongooseModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: AdminList.name, schema: AdminListSchema },
      { name: Organization.name, schema: OrganizationSchema },
      { name: File.name, schema: FileSchema },
      { name: Api.name, schema: ApiSchema },
    ]),
  ],
  providers: [Transactions, DatabaseStart],
  exports: [MongooseModule, Transactions, DatabaseStart],
})
export class DatabaseModule {}
