import { Prop, Schema } from '@nestjs/mongoose';
import type { Types, UpdateQuery } from 'mongoose';

/**
 * The options of every schema of a collection. Indexes are built at the start (index-build.ts).
 * @param updateFilters the fields, in addition to `_id`, of filters that find the one record to update
 */
export const collection = (name: string, updateFilters: readonly (readonly string[])[] = []) =>
  ({ collection: name, versionKey: false, autoIndex: false, autoCreate: false, updateFilters }) as const;

/** The options of an index of a text that many records don't have. Both databases use such an index for an equality. */
export function ifSet(field: string): { partialFilterExpression: object } {
  return { partialFilterExpression: { [field]: { $gt: '' } } };
}

/** The fields of every record. Queries leave out those with `select: false`, unless they ask for them. */
@Schema()
export abstract class StoredRecord {
  _id!: Types.ObjectId;
  /** The fields marked `searched`, case-folded, one per line (contract §2 `q`). */
  @Prop({ type: String, default: '', select: false }) searchText!: string;
  /** Counts the references ever made to this record: each new reference must write it (docs/adr/0002). */
  @Prop({ type: Number, default: 0, select: false }) referenceCount!: number;
  /**
   * Rises with every change that a response shows, in the same update. Each update has the revision that was read in
   * its filter: if it matches nothing, the record is read and the caller authorized again (ADR 10).
   */
  @Prop({ type: Number, default: 0, readOnly: true }) revision!: number;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true, readOnly: true, index: true }) updatedAt!: Date;
}

/** A record as queries return it: without the internal fields of every record and those named here. */
export type RecordOf<T extends StoredRecord, Internal extends keyof T = never> = Omit<
  T,
  'searchText' | 'referenceCount' | Internal
>;

/** A filter of records; ids may be text. */
export type Filter = Readonly<Record<string, unknown>>;

/** An update that adds to lists of a record, or removes from them. */
export type ListChange = Pick<UpdateQuery<object>, '$pull' | '$push'>;

/** A record that is embedded in a list of another one. */
export interface Embedded {
  readonly _id: Types.ObjectId;
}

/** A record at the revision at which it was read. */
export interface RecordAtRevision {
  readonly _id: Types.ObjectId;
  readonly revision: number;
  /** Records of some schemas have none. */
  readonly updatedAt?: Date;
}
