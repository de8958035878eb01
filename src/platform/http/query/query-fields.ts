import { IsBoolean } from 'class-validator';
import { RECORD_ID, RECORD_ID_FORM, RECORD_ID_OR_ME } from '../record-id';
import { canonicalDate, DATE_FORM, ISO_DATE } from '../fields/date-field';
import { field, type FieldOptions, type Presence, reports, TextRule } from '../fields/field';
import { type Bounds, integer, IsOneOf } from '../fields/value-fields';
import { blankAsEmpty, codePointLength } from '../../base/text/text';

/** A field of a query is optional by default, and none of them can be null. */
function queryField({ schema, ...options }: Omit<FieldOptions, 'presence'> & Partial<FieldOptions>): PropertyDecorator {
  return field({ presence: { optional: true }, ...options, schema: { ...schema, nullable: false } });
}

export function QueryInteger({
  min,
  max,
  ...presence
}: Bounds & ({ default: number } | { optional: true })): PropertyDecorator {
  const normalize = (value: unknown): unknown => (/^[0-9]+$/.test(value as string) ? Number(value) : value);
  return queryField({ presence, normalize, ...integer({ min, max }) });
}

/**
 * A record's id to filter by. If no such record exists, the list is empty (contract §2, Lists).
 * @param me set for a User's id: `me` is the caller, whom the service puts in its place
 */
export function QueryId({ me = false } = {}): PropertyDecorator {
  const pattern = me ? RECORD_ID_OR_ME : RECORD_ID;
  const form = me ? `${RECORD_ID_FORM}, or me` : RECORD_ID_FORM;
  return queryField({
    validators: [TextRule('badFormat', (id) => pattern.test(id), form)],
    schema: { type: String, pattern: pattern.source },
  });
}

const PRINTABLE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';

/** A text to search for, used as it is: it is not trimmed. A blank one counts as left out (contract §2 `q`). */
export function QuerySearch({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => codePointLength(text) <= max;
  return queryField({
    normalize: (text) => blankAsEmpty(text as string) || undefined,
    validators: [TextRule('tooLong', isValid, `must have at most ${max} characters`)],
    schema: { type: String, maxLength: max, pattern: PRINTABLE },
  });
}

/** A text to filter by, used as it is. */
export function QueryText({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => text !== '' && codePointLength(text) <= max;
  return queryField({
    validators: [TextRule('tooLong', isValid, `must have 1 to ${max} characters`)],
    schema: { type: String, minLength: 1, maxLength: max, pattern: PRINTABLE },
  });
}

export function QueryFlag(): PropertyDecorator {
  return queryField({
    normalize: (value) => (value === 'true' ? true : value === 'false' ? false : value),
    validators: [IsBoolean(reports('wrongType', 'must be true or false'))],
    schema: { type: Boolean },
  });
}

/** A date in one of the two forms (contract §3, Integers and dates); a date alone is its first moment in UTC. */
export function QueryDate(): PropertyDecorator {
  const isDate = (text: string): boolean => canonicalDate(text) !== undefined;
  // In a query string, `+` is a space.
  const isEncoded = (text: string): boolean => isDate(text) || !isDate(text.replace(' ', '+'));
  return queryField({
    normalize: (text) => canonicalDate(text as string) ?? text,
    validators: [
      TextRule('badFormat', isEncoded, 'has a "+" that is not encoded: send %2B'),
      TextRule('badFormat', isDate, DATE_FORM),
    ],
    schema: { type: String, pattern: ISO_DATE.source },
  });
}

/** The orders of a list: by `_id`, and from the last `_id` on. */
export const SORTS = ['_id', '-_id'] as const;
export type Sort = (typeof SORTS)[number];

export function QueryOneOf<T extends string>(
  values: readonly T[],
  presence: Presence<T> = { optional: true },
): PropertyDecorator {
  return queryField({ presence, validators: [IsOneOf(values)], schema: { type: String, enum: [...values] } });
}
