import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { present, type Rule, validateRule } from './rule';

/** When a field may be left out. Null counts as left out (contract §1.5), so does a blank text (§1.6). */
export interface Presence<T> {
  /** May be left out, and is then `undefined`: the present value is kept. */
  optional?: boolean;
  /** May be left out, and then has this value: PUT replaces (contract §3). `null` for a field that may be empty. */
  default?: T | null;
}

/** All that makes a field: one declaration for the value, its judgement and its documentation. */
export interface FieldDefinition extends Presence<unknown> {
  /** The value as it is judged and stored; `undefined` when it counts as left out. */
  normalize?(this: void, value: unknown): unknown;
  rules: readonly Rule[];
  schema: ApiPropertyOptions;
  /** Whether the document keeps the default to itself: tools that fill it in would send it. */
  hidesDefault?: boolean;
}

/** Whether the field must be there: it is neither optional nor has a default. */
export function isRequired(presence: Presence<unknown>): boolean {
  return !presence.optional && presence.default === undefined;
}

const declared = new WeakMap<object, string[]>();

/** The fields of a DTO in the model's order: those of its base classes first, each class's as declared. */
export function fieldsOf(dto: object): readonly string[] {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = typeof base === 'function' ? fieldsOf(base) : [];
  return [...inherited, ...(declared.get(dto) ?? [])];
}

/**
 * Declares a field of a body or query DTO: class-transformer normalizes it and sets its default, class-validator
 * judges it by its rules, the OpenAPI document shows it.
 * @throws Error at the start, when a base class declares the field too: both declarations would apply
 */
export function field(definition: FieldDefinition): PropertyDecorator {
  const required = isRequired(definition);
  const rules = required ? [present, ...definition.rules] : definition.rules;
  return (target, property) => {
    declare(target.constructor, String(property));
    Expose()(target, property);
    Transform(({ value }) => settle(definition, value))(target, property);
    for (const rule of rules) validateRule(rule)(target, property);
    ApiProperty(documented(definition, required))(target, property);
  };
}

function declare(dto: object, name: string): void {
  if (fieldsOf(dto).includes(name)) throw new Error(`The field ${name} is declared twice.`);
  declared.set(dto, [...(declared.get(dto) ?? []), name]);
}

function settle({ normalize, default: fallback }: FieldDefinition, value: unknown): unknown {
  const given: unknown = value ?? undefined;
  const settled = given === undefined || normalize === undefined ? given : normalize(given);
  if (settled !== undefined) return settled;
  return Array.isArray(fallback) ? [...(fallback as unknown[])] : fallback;
}

/** Null is accepted wherever a field may be left out, so the document says so. */
function documented(
  { schema, default: fallback, hidesDefault }: FieldDefinition,
  required: boolean,
): ApiPropertyOptions {
  const shown = fallback === undefined || hidesDefault ? {} : { default: fallback };
  return { nullable: required ? undefined : true, ...schema, ...shown, required } as ApiPropertyOptions;
}
