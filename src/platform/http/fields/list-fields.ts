import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import type { FieldErrorName } from '../../base/errors/field-error';
import { RECORD_ID, RECORD_ID_FORM } from '../record-id';
import type { NamedEnum } from '../responses/response-fields';
import { field, type Presence, reports } from './field';
import { oneOf } from './value-fields';

type ListPresence = Presence<readonly string[]>;

/** A list of some of these values, each once (5008, 5011). */
export function ListOf(named: NamedEnum, presence: ListPresence = {}): PropertyDecorator {
  const values = named.enum;
  const schema = { ...named, enum: [...values], isArray: true, maxItems: values.length };
  return listField({
    presence,
    schema,
    isValid: (item) => values.includes(item),
    error: 'notOneOf',
    message: oneOf(values),
  });
}

/** A word, and the most characters of one. */
export const WORD = /^[a-z0-9-]{1,40}$/;
export const WORD_MAX = 40;
export const WORD_FORM = 'must have 1 to 40 characters of a–z, 0–9 and -';

/** A list of at most `max` words, each once, stored in alphabetical order (5007, 5010, 5011). */
export function Words(options: ListPresence & { max: number }): PropertyDecorator {
  return ListOfTexts({ ...options, pattern: WORD, message: WORD_FORM, sorted: true });
}

/** A list of at most `max` ids, each once. */
export function RecordIds(options: ListPresence & { max: number }): PropertyDecorator {
  return ListOfTexts({ ...options, pattern: RECORD_ID, message: RECORD_ID_FORM });
}

/** A list of at most `max` texts that match the pattern, each once (5007, 5010, 5011). `message` follows the field's name. */
export function ListOfTexts({ max, pattern, message, sorted, ...presence }: TextListOptions): PropertyDecorator {
  const schema = { type: 'array', items: { type: 'string', pattern: pattern.source } } as const;
  const isValid = (item: string): boolean => pattern.test(item);
  return listField({ presence, max, isValid, error: 'badFormat', message, sorted, schema });
}

type TextListOptions = ListPresence & { max: number; pattern: RegExp; message: string; sorted?: boolean };

interface ListOptions {
  presence: ListPresence;
  max?: number;
  /** What an item must be, and the error of one that is not. */
  isValid(this: void, item: string): boolean;
  error: FieldErrorName;
  message: string;
  sorted?: boolean;
  schema: ApiPropertyOptions;
}

/** Finds the invalid items of a list, in order. */
export type ItemErrors = (list: unknown[]) => [index: number, error: FieldErrorName, detail?: string][];

/** A list of distinct strings. class-validator's `each` does not tell which item is invalid. */
function listField({ presence, max, isValid, error, message, schema, sorted }: ListOptions): PropertyDecorator {
  const errorOf = (item: unknown, index: number, list: unknown[]): ReturnType<ItemErrors> => {
    if (typeof item !== 'string') return [[index, 'wrongType', 'must be a string']];
    if (!isValid(item)) return [[index, error, message]];
    return list.indexOf(item) === index ? [] : [[index, 'repeatedItem']];
  };
  const itemErrors: ItemErrors = (list) => list.flatMap(errorOf);
  const validator = { validate: (list: unknown[]) => itemErrors(list).length === 0 };
  // An error names the index that an item has in the request.
  const isSortable = (list: unknown): list is string[] => Array.isArray(list) && itemErrors(list).length === 0;
  return field({
    presence,
    normalize: (list) => (sorted && isSortable(list) ? list.toSorted() : list),
    validators: [
      IsArray(reports('wrongType', 'must be a list of strings')),
      ...(max === undefined ? [] : [ArrayMaxSize(max, reports('tooManyItems', `must have at most ${max} items`))]),
      ValidateBy({ name: 'eachItem', validator }, { ...reports(error), context: { itemErrors } }),
    ],
    // Without `uniqueItems`: in some languages that is a set, while the response has a list.
    schema: { ...schema, ...(max && { maxItems: max }) },
  });
}
