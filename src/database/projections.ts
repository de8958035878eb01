import type { SchemaType } from 'mongoose';
import type { AnySchema } from './any-model';

/**
 * What a read through the driver leaves out, as Mongoose's queries do by themselves: the fields with `select: false`
 * (docs/adr/0016), those of embedded records too.
 *
 * @param except internal fields that are to be read: `['passwordHash']`
 * @returns a projection: `{ searchText: 0, 'managers.createdBy': 0 }`
 */
export function withoutInternal(schema: AnySchema, except: readonly string[] = []): Record<string, 0> {
  const internal = internalPaths(schema).filter((path) => !except.includes(path));
  return Object.fromEntries(internal.map((path) => [path, 0]));
}

function internalPaths(schema: AnySchema): string[] {
  return Object.entries<SchemaType>(schema.paths).flatMap(([path, { options, schema: embedded }]) => {
    if (options.select === false) return path;
    return embedded ? internalPaths(embedded).map((field) => `${path}.${field}`) : [];
  });
}
