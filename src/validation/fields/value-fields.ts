import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { canonicalDate, ISO_DATE } from '../iso-date';
import { trim } from '../text';
import { listValidators } from './list-validators';
import { field, isRequired, normalizedText, type Presence, reports, TextRule } from './field';

/** One of these values (5008). */
export function OneOf<T extends string>(values: readonly T[], presence: Presence<T> = {}): PropertyDecorator {
  return field({
    presence,
    validators: [
      IsString(reports('wrongType', 'must be a string')),
      IsIn(values, reports('notOneOf', `must be one of: ${values.join(', ')}`)),
    ],
    schema: { type: String, enum: [...values] },
  });
}

/** A list of some of these values, each once (5008, 5011). */
export function ListOf<T extends string>(
  values: readonly T[],
  presence: Presence<readonly T[]> = {},
): PropertyDecorator {
  const isValid = (item: string): boolean => (values as readonly string[]).includes(item);
  return field({
    presence,
    validators: listValidators({ isValid, error: 'notOneOf', message: `must be one of: ${values.join(', ')}` }),
    schema: { type: 'array', items: { type: 'string', enum: [...values] }, uniqueItems: true },
  });
}

/** True or false. */
export function Flag(presence: Presence<boolean> = {}): PropertyDecorator {
  return field({
    presence,
    validators: [IsBoolean(reports('wrongType', 'must be true or false'))],
    schema: { type: Boolean },
  });
}

/** The smallest and the largest value of an integer. */
export interface Bounds {
  min: number;
  max: number;
}

/** A JSON number without a fraction: 5.0 is 5, and a string is never converted (5002, 5009). */
export function Integer({ min, max, ...presence }: Bounds & Presence<number>): PropertyDecorator {
  return field({
    presence,
    validators: integerValidators({ min, max }),
    schema: { type: 'integer', minimum: min, maximum: max },
  });
}

export function integerValidators({ min, max }: Bounds): PropertyDecorator[] {
  const message = `must be a whole number from ${min} to ${max}`;
  return [
    IsInt(reports('wrongType', message)),
    Min(min, reports('outOfRange', message)),
    Max(max, reports('outOfRange', message)),
  ];
}

/**
 * A date, `2026-03-16`, or a date and time with its UTC offset, `2026-03-16T20:07:54+01:00` (5007). The service gets a
 * date as it was sent, and a date and time in UTC with milliseconds: `2026-03-16T19:07:54.000Z` (contract §1.6).
 */
export function IsoDate(presence: Presence<string> = {}): PropertyDecorator {
  const form = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';
  return field({
    presence,
    normalize: normalizedText(presence, (text) => (trim(text) === '' ? '' : (canonicalDate(text) ?? text))),
    validators: [
      IsString(reports('wrongType', 'must be a string')),
      TextRule('blank', (date) => date !== ''),
      TextRule('badFormat', (date) => canonicalDate(date) !== undefined, form),
    ],
    schema: { type: String, pattern: isRequired(presence) ? ISO_DATE.source : `^\\s*$|${ISO_DATE.source}` },
  });
}
