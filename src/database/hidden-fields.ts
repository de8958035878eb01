import type { AnySchema } from './any-model';

const known = new WeakMap<AnySchema, Record<string, 0>>();

/** The projection that leaves out the fields marked `select: false`, for reads by the driver. */
export function hiddenFields(schema: AnySchema): Record<string, 0> {
  let hidden = known.get(schema);
  if (!hidden) known.set(schema, (hidden = Object.fromEntries(hiddenPaths(schema).map((path) => [path, 0]))));
  return hidden;
}

function hiddenPaths(schema: AnySchema, prefix = ''): string[] {
  const paths: string[] = [];
  schema.eachPath((name, type) => {
    const embedded = type.schema ?? type.getEmbeddedSchemaType()?.schema;
    if ((type.options as { select?: boolean }).select === false) paths.push(`${prefix}${name}`);
    else if (embedded) paths.push(...hiddenPaths(embedded, `${prefix}${name}.`));
  });
  return paths;
}
