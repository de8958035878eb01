import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { IsDefined, IsString, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { type FieldErrorName, fieldErrors } from '../../base/errors/field-error';

/** When a field may be left out; it is required unless one of these is set. `null` counts as left out (contract §1.5). */
export interface Presence<T> {
  /** A field left out is `undefined`: the service keeps the current value, or there is none. */
  optional?: boolean;
  /** A field left out gets this value, since PUT replaces: `null` for a field that may be empty. */
  default?: T | null;
  /** A field left out is `undefined` and keeps its value; `null` clears it. For an identity, and as docs/versioning.md says. */
  nullable?: boolean;
  /** A parameter of a query by which a list is filtered: it may be left out, but is neither blank nor null. */
  filter?: true;
}

export function isRequired({ optional, nullable, filter, default: fallback }: Presence<unknown>): boolean {
  return !optional && !nullable && !filter && fallback === undefined;
}

interface FieldOptions {
  presence: Presence<unknown>;
  /** Returns the value to validate and store; `undefined` if it counts as left out. */
  normalize?(this: void, value: unknown): unknown;
  /** In the contract's order: the first error is the one that is reported. */
  validators: readonly PropertyDecorator[];
  /** `x-takes` is a sentence of the description. */
  schema: ApiPropertyOptions & { 'x-takes'?: string };
}

/** Composes a field decorator: class-transformer normalizes the value, class-validator validates it. */
export function field({ presence, normalize = (value) => value, validators, schema }: FieldOptions): PropertyDecorator {
  const required = isRequired(presence);
  return applyDecorators(
    declareField,
    Expose(),
    Transform(({ value }) => withPresence(presence, normalize, value)),
    ...(required ? [IsDefined({ message: fieldErrors.missing.detail, context: { error: 'missing' } })] : []),
    ...validators,
    ApiProperty({ ...(required ? {} : { nullable: !presence.filter }), ...schema, required } as ApiPropertyOptions),
  );
}

interface TextFieldOptions extends Pick<FieldOptions, 'presence' | 'validators'> {
  normalize(this: void, text: string): string;
  /** False if a required text is blank (5622); by default, if `normalize` leaves nothing. */
  isVisible?(this: void, text: string): boolean;
  schema: object;
}

/** A field that holds a text. One that `normalize` makes empty counts as left out (contract §1.6). */
export function textField({
  presence,
  normalize,
  isVisible = Boolean,
  validators,
  schema,
}: TextFieldOptions): PropertyDecorator {
  const required = isRequired(presence) || presence.filter;
  const emptyAsLeftOut = (text: string): string | undefined => (required ? text : text || undefined);
  return field({
    presence,
    normalize: (value) => (typeof value === 'string' ? emptyAsLeftOut(normalize(value)) : value),
    validators: [
      IsString(reports('wrongType', 'must be a string')),
      ...(required ? [TextRule('blank', isVisible)] : []),
      ...validators,
    ],
    schema: { type: String, ...schema },
  });
}

/** The options of a validator that reports this field error. A field that is left out passes. */
export function reports(
  error: FieldErrorName,
  message: ValidationOptions['message'] = fieldErrors[error].detail,
): ValidationOptions {
  return { message, context: { error }, validateIf: (_, value) => value !== undefined && value !== null };
}

/**
 * A rule that class-validator has no decorator for. It comes after `IsString`, so its value is a string.
 * @param message the detail of the error, or what makes it of the text
 */
export function TextRule(
  error: FieldErrorName,
  isValid: (text: string, dto: object) => boolean,
  message?: string | ((text: string) => string),
): PropertyDecorator {
  const validator = { validate: (value: string, args?: { object: object }) => isValid(value, args!.object) };
  const detail = typeof message === 'function' ? ({ value }: ValidationArguments) => message(value as string) : message;
  return ValidateBy({ name: error, validator }, reports(error, detail));
}

function withPresence(presence: Presence<unknown>, normalize: (value: unknown) => unknown, sent: unknown): unknown {
  if (sent === undefined && presence.nullable) return undefined;
  const value = sent === undefined || sent === null ? undefined : normalize(sent);
  return value ?? (presence.nullable ? null : presence.default);
}

const FIELDS = Symbol('request fields');

/** The names of the fields that a DTO takes, in the model's order: those of base classes first, then as declared. */
export function requestFieldsOf(dto: object): readonly string[] {
  return (Reflect.getMetadata(FIELDS, dto) ?? []) as readonly string[];
}

/** @throws Error if a base class declares the field too: both normalizations would apply. */
function declareField({ constructor }: object, name: string | symbol): void {
  const names = requestFieldsOf(constructor);
  if (names.includes(String(name))) throw new Error(`The field ${String(name)} is declared twice.`);
  Reflect.defineMetadata(FIELDS, [...names, String(name)], constructor);
}
