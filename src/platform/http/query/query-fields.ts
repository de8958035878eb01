import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, Matches, ValidateBy, type ValidationArguments } from 'class-validator';
import { RECORD_ID } from '../record-id';
import { field, reports, TextRule } from '../fields/field';
import { Text } from '../fields/text-fields';
import { oneOf } from '../fields/value-fields';
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

/** The sorts of every list: by `_id`, and from the last `_id` on. */
export const SORTS = ['_id', '-_id'] as const;
export type Sort = (typeof SORTS)[number];

const MORE_SORTS = Symbol('sorts of a list');
const sortsOf = (dto: object): readonly string[] =>
  (Reflect.getMetadata(MORE_SORTS, dto.constructor) ?? SORTS) as readonly string[];

/** The order of a list: one of `SORTS` and, where its class names them, of others (`@Sorts`). */
export function QuerySort(): PropertyDecorator {
  const validator = {
    validate: (sort: unknown, args?: ValidationArguments) => sortsOf(args!.object).includes(sort as string),
  };
  const message = ({ object }: ValidationArguments): string => oneOf(sortsOf(object));
  return field({
    presence: { default: '_id', filter: true },
    validators: [ValidateBy({ name: 'sort', validator }, reports('notOneOf', message))],
    schema: { type: String, enum: [...SORTS] },
  });
}

/** The fields by which a list can also be sorted, with `-` in front for the reverse order (`addSortIndexes`). */
export function Sorts(...names: readonly string[]): ClassDecorator {
  return (dto) => {
    const sorts = [...SORTS, ...names];
    Reflect.defineMetadata(MORE_SORTS, sorts, dto);
    const description =
      '`_id` (default), or `-_id` for the newest first: `after` continues in this order. With the others, read pages ' +
      'with `skip`; `-` is the reverse order.';
    ApiProperty({ enum: sorts, description })(dto.prototype as object, 'sort');
  };
}
