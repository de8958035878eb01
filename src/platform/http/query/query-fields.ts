import { ArrayMaxSize, ArrayUnique, IsBoolean, Matches, type ValidationArguments } from 'class-validator';
import { RECORD_ID, RECORD_ID_FORM, RECORD_ID_OR_ME } from '../record-id';
import { canonicalDate, DATE_FORM, ISO_DATE, lastMomentOf } from '../fields/date-field';
import { field, type FieldOptions, type Presence, reports, TextRule } from '../fields/field';
import { type Bounds, integer, IsOneOf } from '../fields/value-fields';
import { WORD, WORD_FORM, WORD_MAX } from '../fields/list-fields';
import { Text } from '../fields/text-fields';
import { searchKey } from '../../base/text/case-fold';
import { blankAsEmpty, codePointLength } from '../../base/text/text';

/** A field of a query is optional by default, and none of them can be null. */
function queryField({ schema, ...options }: Omit<FieldOptions, 'presence'> & Partial<FieldOptions>): PropertyDecorator {
  return field({ presence: { optional: true }, ...options, schema: { ...schema, nullable: false } });
}

/** @param advice for a number out of bounds: completes the message */
export function QueryInteger({
  min,
  max,
  advice,
  ...presence
}: { advice?: string } & Bounds & ({ default: number } | { optional: true })): PropertyDecorator {
  const normalize = (value: unknown): unknown => (/^[0-9]+$/.test(value as string) ? Number(value) : value);
  return queryField({ presence, normalize, ...integer({ min, max, advice }) });
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

/** The most ids of a list by ids: as many as the largest page. */
const MAX_IDS = 100;

/** Ids of the records to list, separated by commas (contract §2, Lists). `me` is not allowed. */
export function QueryIds(): PropertyDecorator {
  const one = RECORD_ID.source.slice(1, -1);
  const form = ({ value }: ValidationArguments): string => {
    const number = (value as string[]).findIndex((id) => !RECORD_ID.test(id)) + 1;
    return `must be ids of 24 lower-case hexadecimal digits, separated by commas; number ${number} is not`;
  };
  return queryField({
    normalize: (text) => (text as string).split(','),
    validators: [
      ArrayMaxSize(MAX_IDS, reports('tooManyItems', `must have at most ${MAX_IDS} ids`)),
      Matches(RECORD_ID, { ...reports('badFormat', form), each: true }),
      ArrayUnique(reports('repeatedItem', 'must not name an id twice')),
    ],
    // Generators of clients write lists in different ways, and a count of a group in a pattern is too large for some.
    schema: { type: String, pattern: `^${one}(,${one})*$`, maxLength: MAX_IDS * 25 - 1 },
  });
}

const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F';
const PRINTABLE = `^[^${CONTROLS}]*$`;

/** The most bytes of the form that is searched: some characters stand for up to 18, and databases bound a pattern. */
const MAX_SEARCH_KEY = 600;

/** A text to search for, used as it is: it is not trimmed. A blank one counts as left out (contract §2 `q`). */
export function QuerySearch({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => codePointLength(text) <= max;
  const isSearchable = (text: string): boolean => Buffer.byteLength(searchKey(text)) <= MAX_SEARCH_KEY;
  return queryField({
    normalize: (text) => blankAsEmpty(text as string) || undefined,
    validators: [
      TextRule('tooLong', isValid, `must have at most ${max} characters`),
      TextRule('tooLong', isSearchable, 'has too many characters that stand for several'),
    ],
    schema: { type: String, maxLength: max, pattern: PRINTABLE },
  });
}

/** A word to filter by, such as a tag. */
export function QueryWord(): PropertyDecorator {
  return Text({ max: WORD_MAX, pattern: WORD, message: WORD_FORM, filter: true });
}

/** A slug to filter by, current or old. */
export function QuerySlug(): PropertyDecorator {
  const message = 'must be words of a–z and 0–9, separated by single -';
  return Text({ max: 100, pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, message, filter: true });
}

export function QueryFlag(): PropertyDecorator {
  return queryField({
    normalize: (value) => (value === 'true' ? true : value === 'false' ? false : value),
    validators: [IsBoolean(reports('wrongType', 'must be true or false'))],
    schema: { type: Boolean },
  });
}

/**
 * A date in one of the two forms (contract §3, Integers and dates); a date alone is its first moment in UTC.
 * @param notBefore set for the end of a period, where a date alone is its last moment: the field of its beginning
 */
export function QueryDate({ notBefore }: { notBefore?: string } = {}): PropertyDecorator {
  const isDate = (text: string): boolean => canonicalDate(text) !== undefined;
  // In a query string, `+` is a space.
  const isEncoded = (text: string): boolean => isDate(text) || !isDate(text.replace(' ', '+'));
  return queryField({
    normalize: (text) => canonicalDate(text as string) ?? text,
    validators: [
      TextRule('badFormat', isEncoded, 'has a "+" that is not encoded: send %2B'),
      TextRule('badFormat', isDate, DATE_FORM),
      ...(notBefore === undefined
        ? []
        : [TextRule('outOfRange', isEndAfter(notBefore), `must not be before ${notBefore}`)]),
    ],
    schema: { type: String, pattern: ISO_DATE.source },
  });
}

/** A period that ends before it begins can never match; what is no date has an error of its own. */
const isEndAfter =
  (beginning: string) =>
  (end: string, query: object): boolean =>
    !(lastMomentOf(end) < Date.parse(String((query as Record<string, unknown>)[beginning])));

/** The orders of a list: by `_id`, and from the last `_id` on. */
export const SORTS = ['_id', '-_id'] as const;
export type Sort = (typeof SORTS)[number];

export function QueryOneOf<T extends string>(
  values: readonly T[],
  presence: Presence<T> = { optional: true },
): PropertyDecorator {
  return queryField({ presence, validators: [IsOneOf(values)], schema: { type: String, enum: [...values] } });
}
