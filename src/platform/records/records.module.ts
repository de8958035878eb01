import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { getModelToken, ModelDefinition, MongooseModule } from '@nestjs/mongoose';
import { Database } from './database';
import type { AnyModel } from './driver/any-model';
import type { RecordAtRevision } from './schema/record.schema';
import { Records, recordsToken } from './records';
import { SearchIndexes } from './search/search-index';

/** The `Records` of all Models. */
@Injectable()
export class AllRecords {
  readonly indexes: SearchIndexes;
  private readonly records = new Map<string, Records<never>>();

  constructor(readonly database: Database) {
    this.indexes = new SearchIndexes(database);
  }

  /** @param model the name of a Model, `User.name` */
  of<R extends RecordAtRevision>(model: string): Records<R> {
    const records =
      this.records.get(model) ?? new Records<never>(this.database.connection.model(model) as AnyModel, this);
    this.records.set(model, records);
    return records;
  }
}

/** Registers Models, as `MongooseModule.forFeature` does, and their `Records`. */
@Module({})
export class RecordsModule {
  static forFeature(models: ModelDefinition[]): DynamicModule {
    const mongoose = MongooseModule.forFeature(models);
    const providers = models.map(({ name }) => ({
      provide: recordsToken(name),
      inject: [AllRecords, getModelToken(name)],
      useFactory: (all: AllRecords) => all.of(name),
    }));
    return { module: RecordsModule, imports: [mongoose], providers, exports: [mongoose, ...providers] };
  }
}
