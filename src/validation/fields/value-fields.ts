import type { ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { blankAsEmpty } from '../text';
import { field, isRequired, type Presence, reports, textField, TextRule } from './field';
import { listField } from './list-field';

/** One of these values (5008). */
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

/** The validator of a value that is one of these. */
export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, reports('notOneOf', oneOf(values)));
}

function oneOf(values: readonly string[]): string {
  return `must be one of: ${values.join(', ')}`;
}

/** True or false. */
export function Flag(presence: Presence<boolean> = {}): PropertyDecorator {
  const validators = [IsBoolean(reports('wrongType', 'must be true or false'))];
  return field({ presence, validators, schema: { type: Boolean } });
}

/** The smallest and the largest value of an integer. */
export interface Bounds {
  min: number;
  max: number;
}

/** A JSON number without a fraction: 5.0 is 5, and a string is never converted (5002, 5009). */
export function Integer({ min, max, ...presence }: Bounds & Presence<number>): PropertyDecorator {
  return field({ presence, ...integer({ min, max }) });
}

/** The validators and the schema of an integer. */
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

const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** The two forms of a date (contract §1.6). The days of the month are checked separately. */
export const ISO_DATE = new RegExp(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(${TIME}${OFFSET})?$`);

/** A date, or a date and time with its UTC offset (5007), which is stored in UTC with milliseconds (contract §1.6). */
export function IsoDate(presence: Presence<string> = {}): PropertyDecorator {
  const form = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';
  return textField({
    presence,
    normalize: (text) => canonicalDate(text) ?? blankAsEmpty(text),
    validators: [TextRule('badFormat', (date) => canonicalDate(date) !== undefined, form)],
    schema: { pattern: isRequired(presence) ? ISO_DATE.source : `^\\s*$|${ISO_DATE.source}` },
  });
}

/** The stored form of a date, in UTC if it has a time; undefined for other text, and outside the years 0000 to 9999. */
function canonicalDate(text: string): string | undefined {
  const [, day, time] = ISO_DATE.exec(text) ?? [];
  // `Date` takes 30 February for 2 March, and its JSON is null for 32 March.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  if (time === undefined) return day;
  const instant = new Date(text).toISOString();
  return /^[0-9]{4}-/.test(instant) ? instant : undefined;
}
