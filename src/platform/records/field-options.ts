import type { SchemaType, SchemaTypeOptions, Types } from 'mongoose';
import type { ErrorName } from '../base/errors/api-error';
import type { AnyModel } from './connection/any-model';

/** The options of a schema's field that Roster adds to mongoose's. */
declare module 'mongoose' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- an augmentation repeats the type parameters
  interface SchemaTypeOptions<T> {
    /** Makes `q` search this field (contract §2 `q`). */
    searched?: boolean;
    /**
     * The field that stores the `uniqueKey` of this one; it has the unique index (contract §1.9). A field that is its
     * own key is compared exactly, and may be null.
     */
    keyField?: string;
    /** The error for a record whose key another one has. */
    taken?: ErrorName;
    /** Chooses unique fields of the record when this field is written: `slugsFor`. */
    claim?: MakeClaim;
    /** The service sets the field, and no request: Events do not show its changes (contract §3 Event). */
    readOnly?: boolean;
    /** The name under which requests change an internal field: `password` for a hash. */
    requestField?: string;
    /** The class of the records that are embedded in this list, which Events compare one by one. */
    embeds?: string;
  }
}

/** Unique fields that a write has chosen for a record. */
export interface Claim {
  readonly fields: object;
  /** A value that the record did not have before, so another record may get it first. */
  readonly newValue?: string | undefined;
}

/** @param _id the record to be updated; none for a new one */
export type MakeClaim = (model: AnyModel, value: string, _id: Types.ObjectId | undefined) => Promise<Claim>;

/** The options of a field; none of a field that the schema does not have. */
export function optionsOf(type: SchemaType | undefined): SchemaTypeOptions<unknown> {
  return type?.options ?? {};
}
