import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import type { FieldErrorName } from '../../errors/field-error';
import { field, type Presence, reports } from './field';

interface ListOptions {
  presence: Presence<readonly string[]>;
  max?: number;
  /** What an item must be, and the error of one that is not. */
  isValid(this: void, item: string): boolean;
  error: FieldErrorName;
  sorted?: boolean;
  message: string;
  items: { pattern: string } | { enum: string[] };
}

/** Finds the invalid items of a list, in order. */
export type ItemErrors = (list: unknown[]) => [index: number, error: FieldErrorName, detail?: string][];

/** A list of distinct strings. class-validator's `each` does not tell which item is invalid (contract §2). */
export function listField({ presence, max, isValid, error, message, items, sorted }: ListOptions): PropertyDecorator {
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
    schema: { type: 'array', items: { type: 'string', ...items }, ...(max && { maxItems: max }), uniqueItems: true },
  });
}
