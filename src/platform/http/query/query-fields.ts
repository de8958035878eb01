import { ArrayMaxSize, ArrayUnique, Matches, type ValidationArguments } from 'class-validator';
import { RECORD_ID } from '../record-id';
import { field, reports, TextRule } from '../fields/field';
import { Text } from '../fields/text-fields';
import { searchKey } from '../../base/text/case-fold';
import { blankAsEmpty, codePointLength } from '../../base/text/text';

const FILTER = { filter: true } as const;

/** The most ids of a list by ids: as many as the largest page. */
const MAX_IDS = 100;

/** Ids of the records to list, separated by commas (contract §2, Lists). `me` is not allowed. */
export function QueryIds(): PropertyDecorator {
  const one = RECORD_ID.source.slice(1, -1);
  const form = ({ value }: ValidationArguments): string => {
    const number = (value as string[]).findIndex((id) => !RECORD_ID.test(id)) + 1;
    return `must be ids of 24 lower-case hexadecimal digits, separated by commas; number ${number} is not`;
  };
  return field({
    presence: FILTER,
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

/** A text to search for. It is not trimmed. A blank one counts as left out (contract §2 `q`). */
export function QuerySearch({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => codePointLength(text) <= max;
  const isSearchable = (text: string): boolean => Buffer.byteLength(searchKey(text)) <= MAX_SEARCH_KEY;
  return field({
    presence: FILTER,
    normalize: (text) => blankAsEmpty(text as string) || undefined,
    validators: [
      TextRule('tooLong', isValid, `must have at most ${max} characters`),
      TextRule('tooLong', isSearchable, 'has too many characters that stand for several'),
    ],
    schema: { type: String, maxLength: max, pattern: PRINTABLE },
  });
}

/** A slug to filter by, current or old. */
export function QuerySlug(): PropertyDecorator {
  const message = 'must be words of a–z and 0–9, separated by single -';
  return Text({ max: 100, pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, message, filter: true });
}
