import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { field, type Presence, reports } from './field';
import { listField } from './list-field';

export function OneOf<T extends string>(values: readonly T[], presence: Presence<T> = {}): PropertyDecorator {
  return field({
    presence,
    validators: [IsString(reports('wrongType', 'must be a string')), IsOneOf(values)],
    schema: { type: String, enum: [...values] },
  });
}

/** A list of some of these values, each once (5008, 5011). */
export function ListOf<T extends string>(
  values: readonly T[],
  presence: Presence<readonly T[]> = {},
): PropertyDecorator {
  const isValid = (item: string): boolean => values.some((value) => value === item);
  return listField({ presence, items: { enum: [...values] }, isValid, error: 'notOneOf', message: oneOf(values) });
}

/** A list of at most `max` words, each once, stored in alphabetical order (5007, 5010, 5011). */
export function Words({ max, ...presence }: Presence<readonly string[]> & { max: number }): PropertyDecorator {
  const word = /^[a-z0-9-]{1,40}$/;
  const message = 'must have 1 to 40 characters of a–z, 0–9 and -';
  const isValid = (item: string): boolean => word.test(item);
  return listField({
    presence,
    max,
    items: { pattern: word.source },
    isValid,
    error: 'badFormat',
    message,
    sorted: true,
  });
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, reports('notOneOf', oneOf(values)));
}

function oneOf(values: readonly string[]): string {
  return `must be one of: ${values.join(', ')}`;
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

export function integer({ min, max }: Bounds): { validators: PropertyDecorator[]; schema: ApiPropertyOptions } {
  const message = `must be a whole number from ${min} to ${max}`;
  return {
    validators: [
      IsInt(reports('wrongType', message)),
      Min(min, reports('outOfRange', message)),
      Max(max, reports('outOfRange', message)),
    ],
    schema: { type: 'integer', minimum: min, maximum: max },
  };
}
