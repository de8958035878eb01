import type { Types } from 'mongoose';
import type { AnyModel, AnySchema } from './any-model';

/** Unique fields that a write has chosen for a record. */
export interface Claim {
  readonly fields: object;
  /** A value that the record did not have before, so another record may get it first. */
  readonly newValue?: string | undefined;
}

/** The field that a claim is made from. */
export interface ClaimRequest {
  readonly model: AnyModel;
  /** The value of the field whose schema has the option. */
  readonly value: string;
  /** The record to be updated; none for a new one. */
  readonly _id: Types.ObjectId | undefined;
}

declare module 'mongoose' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- an augmentation repeats the type parameters
  interface SchemaTypeOptions<T> {
    /** Chooses unique fields of the record when this field is written: `slugsFor('api')`. */
    claim?: (request: ClaimRequest) => Promise<Claim>;
  }
}

/** Chooses the unique fields that depend on what a write sets. */
export async function claimFor(
  model: AnyModel,
  set: Readonly<Record<string, unknown>>,
  _id?: Types.ObjectId,
): Promise<Claim | undefined> {
  const schema = model.schema as AnySchema;
  for (const [name, value] of Object.entries(set)) {
    const claim = schema.path(name)?.options.claim as ((request: ClaimRequest) => Promise<Claim>) | undefined;
    if (claim && typeof value === 'string') return claim({ model, value, _id });
  }
  return undefined;
}
