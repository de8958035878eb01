import type { Schema, SchemaType } from 'mongoose';

/** A path of a schema, at its top level. */
export interface Field {
  readonly name: string;
  readonly type: SchemaType;
  /** The schema of an embedded record, or of a list of them. */
  readonly embedded: Schema | undefined;
  /** The name of the Model that an id, or a list of ids, refers to. */
  readonly ref: string | undefined;
  /** `select: false`. */
  readonly isInternal: boolean;
}

/** The paths of a schema in their order. */
export function fieldsOf(schema: Schema): Field[] {
  const fields: Field[] = [];
  schema.eachPath((name, type) => {
    const { ref, select } = type.options as { ref?: string; select?: boolean };
    const itemRef = (type.getEmbeddedSchemaType()?.options as { ref?: string } | undefined)?.ref;
    const embedded = type.schema ?? type.getEmbeddedSchemaType()?.schema;
    fields.push({ name, type, embedded, ref: ref ?? itemRef, isInternal: select === false });
  });
  return fields;
}
