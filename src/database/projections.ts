import type { SchemaType } from 'mongoose';
import type { AnySchema } from './any-model';

/** The fields to read: by default all but the internal ones. */
export interface FieldSelection {
  /** These and no others. */
  readonly only?: readonly string[];
  /** These internal ones, too: `['passwordHash']`. */
  readonly also?: readonly string[];
}

const known = new WeakMap<AnySchema, Map<string, Record<string, 0 | 1>>>();

/**
 * The projection of a read through the driver, made once per schema and selection: by default without the fields that are
 * marked `select: false`, those of embedded records too (docs/adr/0016).
 */
export function projectionOf(schema: AnySchema, fields: FieldSelection = {}): Record<string, 0 | 1> {
  const ofSchema = known.get(schema) ?? new Map<string, Record<string, 0 | 1>>();
  known.set(schema, ofSchema);
  const key = JSON.stringify(fields);
  const projection = ofSchema.get(key) ?? newProjection(schema, fields);
  ofSchema.set(key, projection);
  return projection;
}

function newProjection(schema: AnySchema, { only, also = [] }: FieldSelection): Record<string, 0 | 1> {
  if (only) return Object.fromEntries(only.map((path) => [path, 1]));
  const internal = internalPaths(schema).filter((path) => !also.includes(path));
  return Object.fromEntries(internal.map((path) => [path, 0]));
}

function internalPaths(schema: AnySchema): string[] {
  return Object.entries<SchemaType>(schema.paths).flatMap(([path, { options, schema: embedded }]) => {
    if (options.select === false) return path;
    return embedded ? internalPaths(embedded).map((field) => `${path}.${field}`) : [];
  });
}
