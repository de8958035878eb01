import type { Connection, SchemaType } from 'mongoose';
import type { AnyModel, AnySchema } from '../driver/any-model';
import { memoized } from '../../base/memoized';
import { type Limit, type OnDelete, optionsOf } from './field-options';
import type { Filter } from './record.schema';

/** A field with a `ref` in its schema: the ids in it belong to records of another Model (docs/adr/0002). */
export interface Reference {
  /** The Model of the records that have it: `Organization`. */
  readonly from: string;
  /** `managers._id` */
  readonly path: string;
  /** The Model that it refers to: `User`. */
  readonly to: string;
  /** The list that has the ids or the embedded records; none for a single id. */
  readonly list: string | undefined;
  readonly isRequired: boolean;
  readonly onDelete: OnDelete;
  readonly among: Filter;
  readonly mustBe: string | undefined;
  /** The most records with this reference to the same record. */
  readonly limit: Limit | undefined;
}

/** The references in the records of a Model, in the order of its schema. */
export const referencesIn = memoized(({ modelName, schema }: AnyModel): readonly Reference[] =>
  idsIn(schema).flatMap(({ path, list, type }) => {
    const { ref, onDelete = 'keep', among = {}, mustBe, limit } = idOptions(type);
    if (typeof ref !== 'string') return [];
    const isRequired = Boolean(type.isRequired);
    return { from: modelName, path, to: ref, list, isRequired, onDelete, among, mustBe, limit };
  }),
);

/** The references to the records of a Model. */
export function referencesTo({ models }: Connection, model: string): Reference[] {
  return Object.values<AnyModel>(models)
    .flatMap(referencesIn)
    .filter(({ to }) => to === model);
}

/** The fields of a schema that hold ids, or lists of them, those of embedded records too. */
export function idsIn(
  schema: AnySchema,
  prefix = '',
  inList?: string,
): { path: string; list: string | undefined; type: SchemaType }[] {
  return Object.entries<SchemaType>(schema.paths).flatMap(([name, type]) => {
    const path = `${prefix}${name}`;
    const item = type.getEmbeddedSchemaType();
    const list = inList ?? (type.instance === 'Array' ? path : undefined);
    const embedded = type.schema ?? item?.schema;
    if (embedded) return idsIn(embedded, `${path}.`, list);
    return (item ?? type).instance === 'ObjectId' ? { path, list, type } : [];
  });
}

/** The options of a field with ids; for a list they may be those of its items. */
export function idOptions(type: SchemaType): ReturnType<typeof optionsOf> {
  return { ...optionsOf(type.getEmbeddedSchemaType()), ...optionsOf(type) };
}
