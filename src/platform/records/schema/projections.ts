import type { SchemaType } from 'mongoose';
import type { AnySchema } from '../driver/any-model';
import { optionsOf } from './field-options';
import { memoized } from '../../base/memoized';

/** The fields to read: by default all but the internal ones. */
export interface FieldSelection {
  /** These and no others. */
  readonly only?: readonly string[];
  /** These internal ones, too: `['passwordHash']`. */
  readonly also?: readonly string[];
}

/**
 * The projection of a read through the driver: by default without the fields that are marked `select: false`, those of
 * embedded records too (ADR 16).
 */
export function projectionOf(schema: AnySchema, { only, also = [] }: FieldSelection = {}): Record<string, 0 | 1> {
  if (only) return Object.fromEntries(only.map((path) => [path, 1]));
  const hidden = internalPaths(schema).filter((path) => !also.includes(path));
  return Object.fromEntries(hidden.map((path) => [path, 0]));
}

/** The paths of the internal fields, those of embedded records too: `sessions.tokenHash`. */
export const internalPaths = memoized((schema: AnySchema): readonly string[] =>
  Object.entries<SchemaType>(schema.paths).flatMap(([path, type]) => {
    if (optionsOf(type).select === false) return path;
    return type.schema ? internalPaths(type.schema).map((field) => `${path}.${field}`) : [];
  }),
);

/** The fields that reads return: without those that the schema marks as internal. */
export function shownFields<R extends object>(schema: AnySchema, fields: R): R {
  const internal = internalPaths(schema);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !internal.includes(name))) as R;
}
