import type { SchemaType, Types } from 'mongoose';
import type { AnyModel, AnySchema } from '../driver/any-model';
import { optionsOf } from '../schema/field-options';
import { isSame } from '../schema/derived-fields';
import { memoized } from '../../base/memoized';
import { referencesIn } from '../schema/references';
import { shownFields } from '../schema/projections';

/** A record, or one that is embedded in it, as far as the comparison needs to know it. */
type Stored = Readonly<Record<string, unknown>> & {
  readonly _id: Types.ObjectId;
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
};

interface Versions {
  readonly model: AnyModel;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

/** A request field that differs, with both values if Events show them: those of flags and fixed sets of words, and others that say so. */
export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What a transaction did to one record. */
export interface RecordChange {
  readonly kind: 'created' | 'updated' | 'deleted';
  /** Later than the record's previous change, even if the instances' clocks differ. */
  readonly at: Date;
  /** The class of the record: `Organization`, `Manager`. */
  readonly model: string;
  /** The record after the change; before it, if it is deleted. */
  readonly record: Stored;
  /** What the field with `isName` has. */
  readonly name: string | null;
  /** The id that responses show. */
  readonly id: Types.ObjectId;
  /** The class of another record that has this id, and gives it its name: a Manager is a User. */
  readonly sameAs: string | undefined;
  /** The ids of what it belongs to, by class: the record in which it is embedded, or those with which it is deleted. */
  readonly owners: Readonly<Record<string, Types.ObjectId>>;
  /** In the order of the schema; empty unless it is updated. */
  readonly fields: readonly FieldChange[];
}

/** A time after the given one, at which the record was last changed. */
type TimeAfter = (previous: Date | undefined) => Date;

/** Before and after of every record in the transaction. */
export class Changes {
  private readonly records = new Map<string, Versions>();

  /** @param timeAfter the time of a change that leaves none in the record: of a deletion */
  constructor(private readonly timeAfter: TimeAfter) {}

  /**
   * Adds a write. Records of a schema without `updatedAt`, such as Files, have no Events and are left out.
   * @param before none for a new record
   * @param after none for a deleted record
   */
  add(model: AnyModel, before: object | undefined, after: object | undefined): void {
    if (!model.schema.path('updatedAt')) return;
    const { _id } = (before ?? after) as Stored;
    const key = `${model.modelName} ${String(_id)}`;
    const first = this.records.get(key);
    const versions = {
      model,
      before: first ? first.before && { ...before, ...first.before } : before,
      after: after && { ...first?.after, ...after },
    };
    this.records.set(key, versions as Versions);
  }

  /** The differences: of each record, then of those that are embedded in it. Empty if nothing has changed. */
  differences(): RecordChange[] {
    return [...this.records.values()].flatMap((versions) => [
      ...ownChange(versions, this.timeAfter),
      ...embeddedChanges(versions, this.timeAfter),
    ]);
  }
}

function ownChange({ model, before, after }: Versions, timeAfter: TimeAfter) {
  const { modelName, schema } = model;
  const change = (kind: RecordChange['kind'], of: Stored, at: Date, fields: readonly FieldChange[]): RecordChange[] => {
    const owners = Object.fromEntries(ownersOf(model).map(({ to, path }) => [to, of[path] as Types.ObjectId]));
    return [{ kind, at, model: modelName, ...asShown(schema, of), owners, fields }];
  };
  if (!after) return before ? change('deleted', before, timeAfter(before.updatedAt), []) : [];
  if (!before) return change('created', after, after.updatedAt!, []);
  const fields = changedRequestFields(schema, before, after);
  return fields.length > 0 ? change('updated', after, after.updatedAt!, fields) : [];
}

/** A record as Events show it: without internal fields, even if one is its name. */
function asShown(schema: AnySchema, stored: Stored): Pick<RecordChange, 'record' | 'name' | 'id' | 'sameAs'> {
  const record = shownFields(schema, stored);
  const path = shownIdOf(schema);
  const sameAs = optionsOf(schema.path(path)).ref as string | undefined;
  return { record, name: nameIn(schema, record), id: record[path] as Types.ObjectId, sameAs };
}

/** Finds the field with an option; `_id` where none has it. */
const fieldWith = (option: 'shownAsId' | 'isName') =>
  memoized(
    (schema: AnySchema) => Object.keys(schema.paths).find((path) => optionsOf(schema.path(path))[option]) ?? '_id',
  );

/** The field with the id that responses show. */
const shownIdOf = fieldWith('shownAsId');

/** The field that names a record. */
export const nameFieldOf = fieldWith('isName');

/** The references to what the records of a Model belong to. */
const ownersOf = memoized((model: AnyModel) =>
  referencesIn(model).filter(({ path, isRequired, onDelete }) => {
    return isRequired && onDelete.startsWith('remove') && path !== shownIdOf(model.schema);
  }),
);

/** The name of a record, as far as it is shown. */
export function nameIn(schema: AnySchema, record: object): string | null {
  const name = (record as Readonly<Record<string, unknown>>)[nameFieldOf(schema)];
  return typeof name === 'string' ? name : null;
}

/** The fields of a schema that requests set, as Events show them. */
const requestFields = memoized((schema: AnySchema) =>
  Object.entries<SchemaType>(schema.paths).flatMap(([name, type]) => {
    // Records that were stored before the schema had a field have its default.
    const { select, readOnly, requestField, embeds, default: missing = null, ...rest } = optionsOf(type);
    if (readOnly || embeds || (select === false && !requestField)) return [];
    const hasFixedValues = type.instance === 'Boolean' || ((rest.enum ?? []) as []).length > 0;
    return [{ name, field: requestField ?? name, missing, showsValues: rest.valuesInEvents ?? hasFixedValues }];
  }),
);

function changedRequestFields(schema: AnySchema, before: Stored, after: Stored): FieldChange[] {
  return requestFields(schema).flatMap(({ name, field, missing, showsValues }) => {
    const [from, to] = [before[name] ?? missing, after[name] ?? missing];
    if (isSame(from, to)) return [];
    return [{ field, ...(showsValues && { from, to }) }];
  });
}

/** The lists of embedded records of a schema. */
const embeddedLists = memoized((schema: AnySchema) =>
  Object.entries<SchemaType>(schema.paths).flatMap(([name, type]) => {
    const { embeds, select } = optionsOf(type);
    return embeds ? [{ name, embeds, embedded: type.schema!, isShown: select !== false }] : [];
  }),
);

/** The records embedded in a deleted one have no changes of their own. */
function embeddedChanges({ model, before, after }: Versions, timeAfter: TimeAfter): RecordChange[] {
  if (!after) return [];
  return embeddedLists(model.schema).flatMap(({ name, embeds, embedded, isShown }) => {
    const owners = { [model.modelName]: after._id };
    const [was, is] = [before, after].map((record) => (record?.[name] ?? []) as Stored[]);
    // The same list: it would take long to compare 500 Managers with one another.
    if (was === is) return [];
    // A list that responses do not show does not change the time of its owner.
    const timeOf = (kind: RecordChange['kind'], { createdAt }: Stored): Date =>
      (isShown ? after.updatedAt : kind === 'created' ? createdAt : undefined) ?? timeAfter(createdAt);
    const change = (kind: 'created' | 'deleted', list: Stored[], others: Stored[]): RecordChange[] =>
      list
        .filter(({ _id }) => !others.some((other) => other._id.equals(_id)))
        .map((one) => {
          return { kind, at: timeOf(kind, one), model: embeds, ...asShown(embedded, one), owners, fields: [] };
        });
    return [...change('deleted', was!, is!), ...change('created', is!, was!)];
  });
}
