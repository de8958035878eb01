import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
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

/** A JSON number without a fraction: 5.0 is 5, and a string is never converted (5002, 5009). */
export function Integer({ min, max, ...presence }: Bounds & Presence<number>): PropertyDecorator {
  return field({ presence, ...integer({ min, max }) });
}

/** The rules and the schema of a whole number. */
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
