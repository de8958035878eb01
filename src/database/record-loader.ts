import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, Model, Types } from 'mongoose';
import { BatchReader } from './batch-reader';
import { withoutInternal } from './projections';

/** Reads records of any Model by id, in batches. */
@Injectable()
export class RecordLoader {
  private readonly readers = new Map<string, BatchReader<unknown>>();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * @param model the name of a Model, `User.name`
   * @param id 24 hexadecimal digits, or an ObjectId
   * @returns the record without its internal fields; undefined when there is none
   */
  async find<R>(model: string, id: string | Types.ObjectId): Promise<R | undefined> {
    const reader = this.readers.get(model) ?? this.addReader(model);
    return (await reader.find(String(id))) as R | undefined;
  }

  /** The Model of that name, for records that are not found by their own id. */
  model<T>(name: string): Model<T> {
    return this.connection.model<T>(name);
  }

  private addReader(name: string): BatchReader<unknown> {
    const model = this.connection.model<object>(name);
    const reader = new BatchReader<unknown>(model, withoutInternal(model.schema));
    this.readers.set(name, reader);
    return reader;
  }
}
