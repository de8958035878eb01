import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { getModelToken, InjectConnection, ModelDefinition, MongooseModule } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import type { AnyModel } from './driver/any-model';
import type { RecordAtRevision } from './schema/record.schema';
import { Records, recordsOf, recordsToken } from './records';

/** The `Records` of all Models. */
@Injectable()
export class AllRecords {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @param model the name of a Model, `User.name` */
  of<R extends RecordAtRevision>(model: string): Records<R> {
    return recordsOf(this.connection.model(model) as AnyModel);
  }
}

/** Registers Models, as `MongooseModule.forFeature` does, and their `Records`. */
@Module({})
export class RecordsModule {
  static forFeature(models: ModelDefinition[]): DynamicModule {
    const mongoose = MongooseModule.forFeature(models);
    const providers = models.map(({ name }) => ({
      provide: recordsToken(name),
      inject: [getModelToken(name)],
      useFactory: recordsOf,
    }));
    return { module: RecordsModule, imports: [mongoose], providers, exports: [mongoose, ...providers] };
  }
}
