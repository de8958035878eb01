import type { AnySchema } from './any-model';

/** Makes a function of a schema that computes its result once: schemas do not change after the start. */
export function perSchema<T>(compute: (schema: AnySchema) => T): (schema: AnySchema) => T {
  const known = new WeakMap<AnySchema, { readonly result: T }>();
  return (schema) => {
    const first = known.get(schema) ?? { result: compute(schema) };
    known.set(schema, first);
    return first.result;
  };
}
