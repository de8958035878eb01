import { createHash } from 'node:crypto';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { Types } from 'mongoose';
import { RECORD_ID } from '../record-id';

/** Dates as responses show them: UTC with milliseconds (contract §1.6). */
const TIMESTAMP = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';

/** The kinds of fields, for the OpenAPI document. A `value` is documented by its TypeScript type. */
const kinds = {
  value: {},
  // Generators of clients have one type for it; alternatives don't compile in some languages.
  any: { 'x-any': true },
  id: { type: String, pattern: RECORD_ID.source },
  // Without `uniqueItems`: in some languages that is a set, which JSON cannot show.
  ids: { type: 'array', items: { type: 'string', pattern: RECORD_ID.source } },
  integer: { type: 'integer', format: 'int32' },
  timestamp: { type: String, format: 'date-time', pattern: TIMESTAMP },
} satisfies Record<string, ApiPropertyOptions & { 'x-any'?: true }>;

/** Computes the value of a response's field from the stored record. */
type ReadField = (record: never) => unknown;

type Dto = new () => object;

/** Words, and what generated clients call their type, which lists in requests and responses share. */
export interface NamedEnum {
  readonly enum: readonly string[];
  readonly enumName: string;
}

interface Field {
  readonly read: ReadField;
  readonly nested: Dto | undefined;
}

const fields = new Map<object, [string, Field][]>();
/** Every field of every response, `OrganizationDto.name`. */
const names: string[] = [];
let version: string | undefined;

/** Part of every ETag: another one when a response gains or loses a field (contract §2, ADR 10). */
export function responseVersion(): string {
  version ??= createHash('sha256').update(names.sort().join()).digest('base64url').slice(0, 6);
  return version;
}

/**
 * Declares a field of a response DTO: it is copied from the record's field of the same name and documented.
 * @param kind for an object, its DTO; for a list of words, these
 * @param read computes the value where the record has no field of this name; `undefined` leaves the field out
 */
export function ResponseField(
  kind: keyof typeof kinds | Dto | NamedEnum = 'value',
  read?: ReadField,
): PropertyDecorator {
  return (prototype, property) => {
    const name = String(property);
    const nested = typeof kind === 'function' ? kind : undefined;
    const field = { read: read ?? ((record: Record<string, unknown>) => record[name] ?? null), nested };
    fields.set(prototype.constructor, [...new Map([...responseFieldsOf(prototype.constructor), [name, field]])]);
    names.push(`${prototype.constructor.name}.${name}`);
    version = undefined;
    ApiProperty(documented(kind))(prototype, property);
  };
}

function documented(kind: keyof typeof kinds | Dto | NamedEnum): ApiPropertyOptions {
  if (typeof kind === 'string') return kinds[kind] as ApiPropertyOptions;
  if (typeof kind === 'function') return { type: () => kind };
  return { enum: [...kind.enum], enumName: kind.enumName, isArray: true };
}

/** Makes the response that the DTO declares from a stored record; a field that the record lacks is null. */
export function toResponse<T extends object>(dto: new () => T, record: object): T {
  const response: Record<string, unknown> = {};
  for (const [name, { read, nested }] of responseFieldsOf(dto)) {
    const value = read(record as never);
    if (value !== undefined) response[name] = nested && value !== null ? toResponse(nested, value) : toJson(value);
  }
  return response as T;
}

/** The fields of a response DTO by name, those of its base classes first. */
export function responseFieldsOf(dto: object): [string, Field][] {
  return fields.get(dto) ?? (dto === Function.prototype ? [] : responseFieldsOf(Object.getPrototypeOf(dto) as object));
}

function toJson(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(toJson) : value;
}
