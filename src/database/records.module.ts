import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { getModelToken, InjectConnection, ModelDefinition, MongooseModule } from '@nestjs/mongoose';
import { Connection, Types } from 'mongoose';
import type { AnyModel } from './any-model';
import { Declarations } from './declarations';
import { Records, recordsToken } from './records';

/** The `Records` of all Models. */
@Injectable()
export class AllRecords {
  private readonly byModel = new Map<string, Records<never>>();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly declarations: Declarations,
  ) {}

  /** @param model the name of a Model, `User.name` */
  of<R extends { readonly _id: Types.ObjectId; readonly revision: number }>(model: string): Records<R> {
    const records =
      this.byModel.get(model) ?? new Records<never>(this.connection.model(model) as AnyModel, this.declarations);
    this.byModel.set(model, records);
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
