import type { Types, UpdateQuery } from 'mongoose';
import type { FieldSelection } from '../schema/projections';
import type { Filter, ListChange } from '../schema/record.schema';

/** The records of a Model, as far as references need them. */
export interface ReferenceRecords {
  readonly removalRules: readonly ((record: never) => Promise<void>)[];
  find<T>(filter: object, fields?: FieldSelection): Promise<T[]>;
  count(filter: object, limit: number): Promise<number>;
  updateInternal(filter: Filter, change: UpdateQuery<object>): Promise<boolean>;
  updateAll(filter: object, change: ListChange & { $set?: object }): Promise<void>;
  removeAll(filter: object): Promise<number>;
  removeWithEvents(filter: object): Promise<readonly { readonly _id: Types.ObjectId }[]>;
}

/** The records of all Models. */
export interface RecordsByModel {
  /** @param model the name of a Model */
  of(model: string): ReferenceRecords;
}
