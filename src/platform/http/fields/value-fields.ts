import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { RECORD_ID, RECORD_ID_FORM } from '../record-id';
import { blankAsEmpty } from '../../base/text/text';
import { field, isRequired, type Presence, reports, textField, TextRule } from './field';

export function OneOf<T extends string>(values: readonly T[], presence: Presence<T> = {}): PropertyDecorator {
  return field({
    presence,
    validators: [IsString(reports('wrongType', 'must be a string')), IsOneOf(values)],
    schema: { type: String, enum: [...values] },
  });
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, reports('notOneOf', oneOf(values)));
}

/** The form of one of these values, for messages. */
export function oneOf(values: readonly string[]): string {
  return `must be one of: ${values.join(', ')}`;
}

/** The id of a record. Whether the record exists is checked by the service (5012). */
export function RecordId(presence: Presence<string> = {}): PropertyDecorator {
  return textField({
    presence,
    normalize: blankAsEmpty,
    validators: [TextRule('badFormat', (id) => RECORD_ID.test(id), RECORD_ID_FORM)],
    schema: { pattern: isRequired(presence) ? RECORD_ID.source : '^(?:[0-9a-f]{24})?$' },
  });
}

export function Flag(presence: Presence<boolean> = {}): PropertyDecorator {
  const validators = [IsBoolean(reports('wrongType', 'must be true or false'))];
  return field({ presence, validators, schema: { type: Boolean } });
}

export interface Bounds {
  min: number;
  max: number;
}

/**
 * A JSON number without a fraction: 5.0 is 5, and a string is never converted (5002, 5009).
 * @param atLeast another field of the same object, which it must not be less than (5009)
 */
export function Integer({
  min,
  max,
  atLeast,
  ...presence
}: Bounds & Presence<number> & { atLeast?: string }): PropertyDecorator {
  const { validators, schema } = integer({ min, max });
  if (atLeast === undefined) return field({ presence, validators, schema });
  const validator = {
    validate: (value: number, args?: { object: object }) => !(value < numberIn(args!.object, atLeast)),
  };
  const isAtLeast = ValidateBy({ name: 'atLeast', validator }, reports('outOfRange', `must be at least ${atLeast}`));
  return field({ presence, validators: [...validators, isAtLeast], schema: { ...schema, 'x-at-least': atLeast } });
}

/** NaN for what is no number: no comparison with it is true. */
function numberIn(dto: object, name: string): number {
  const value = (dto as Record<string, unknown>)[name];
  return typeof value === 'number' ? value : NaN;
}

export function integer({ min, max, advice = '' }: Bounds & { advice?: string | undefined }): {
  validators: PropertyDecorator[];
  schema: ApiPropertyOptions;
} {
  const message = `must be a whole number from ${min} to ${max}${advice}`;
  return {
    validators: [
      IsInt(reports('wrongType', message)),
      Min(min, reports('outOfRange', message)),
      Max(max, reports('outOfRange', message)),
    ],
    schema: { type: 'integer', format: max < 2 ** 31 ? 'int32' : 'int64', minimum: min, maximum: max },
  };
}
