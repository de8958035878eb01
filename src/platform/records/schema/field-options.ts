import type { SchemaType, SchemaTypeOptions } from 'mongoose';
import { apiError, type ErrorName } from '../../base/errors/api-error';

/** The options of a schema's field that Roster adds to mongoose's. */
declare module 'mongoose' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- an augmentation repeats the type parameters
  interface SchemaTypeOptions<T> {
    /**
     * Makes `q` search this field (contract §2 `q`). A `private` one, a required text, is searched in all records only for
     * callers who see it there.
     */
    searched?: boolean | 'private';
    /**
     * The field that stores the key of this one; it has the unique index (contract §10.2). A field that is its own key is
     * compared exactly, and may be null.
     */
    keyField?: string;
    /** Makes that key; `uniqueKey` unless set. */
    makeKey?: (text: string) => string;
    /** The internal field with the last moment of this date, for filters and sorts; `NEVER` where there is none. */
    timeField?: string;
    /** The error for a record that has what another one has in the unique index of this field, or of its key. */
    taken?: ErrorName;
    /** The record has a slug, made from this name; this one if the name has nothing that can be shown in ASCII: `api`. */
    slugFallback?: string;
    /** What becomes of this record when the record that this id refers to (`ref`) is deleted; required for an id. */
    onDelete?: OnDelete;
    /**
     * The records that this id may name, by their fields: `{ isPublic: true, organizationId: '$_id' }`. A text that
     * begins with `$` is the value of that field of this record. It is never this record itself.
     */
    among?: Readonly<Record<string, unknown>>;
    /** Completes "is not" in the field error for others: `a public API of this Organization`. */
    mustBe?: string;
    /** The most records that refer to the same one, or the most records of an embedded list. */
    limit?: Limit;
    /** The service sets the field, and no request: Events do not show its changes (contract §3 Event). */
    readOnly?: boolean;
    /** Events show its values, as they do for flags and for one of a fixed set of words (contract §3 Event). */
    valuesInEvents?: boolean;
    /** The name under which requests change an internal field: `password` for a hash. */
    requestField?: string;
    /** Events name a record by this text (contract §3 Event). */
    isName?: boolean;
    /** Responses and Events have this id in the place of the record's own, and the name of the record that it is of. */
    shownAsId?: boolean;
    /** The class of the records that are embedded in this list, which Events compare one by one. */
    embeds?: string;
  }
}

/**
 * `remove`: this record is deleted too; `removeWithEvent`: so it is, with an Event of its own; `pull`: its list loses the
 * id, or the embedded record with it; `clear`: the id becomes null; `keep`: the id stays, so it may be that of a
 * deleted record.
 */
export type OnDelete = 'remove' | 'removeWithEvent' | 'pull' | 'clear' | 'keep';

/** A limit on a number of records. */
export interface Limit {
  readonly max: number;
  /** Without it `tooMany`. */
  readonly error?: ErrorName;
  readonly message?: string;
}

/** Makes the limit of a reference or an embedded list: `atMost('The User has reached the limit of', 20, 'keys')`. */
export function atMost(beginning: string, max: number, records: string): Limit {
  return { max, message: `${beginning} ${max.toLocaleString('en-US')} ${records}.` };
}

/** @throws ApiError the one of the limit, when there are as many records */
export function assertBelow({ max, error = 'tooMany', message }: Limit, count: number): void {
  if (count >= max) throw apiError(error, message);
}

/** The options of a field; none of a field that the schema does not have. */
export function optionsOf(type: SchemaType | undefined): SchemaTypeOptions<unknown> {
  return type?.options ?? {};
}
