import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { getModelToken, InjectConnection, ModelDefinition, MongooseModule } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import type { AnyModel } from './connection/any-model';
import { Declarations } from './declarations';
import { memoized } from './connection/memoized';
import type { RecordAtRevision } from './record.schema';
import { Records, recordsToken } from './records';

/** The `Records` of all Models. */
@Injectable()
export class AllRecords {
  private readonly recordsOf = memoized((model: AnyModel) => new Records<never>(model, this.declarations));

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly declarations: Declarations,
  ) {}

  /** @param model the name of a Model, `User.name` */
  of<R extends RecordAtRevision>(model: string): Records<R> {
    return this.recordsOf(this.connection.model(model) as AnyModel);
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
