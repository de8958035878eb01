import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import type { FieldErrorName } from '../../errors/field-error';
import { reports } from './field';

/** The rules of a list of distinct strings. */
export interface ListRules {
  /** The most items it may have. */
  max?: number;
  /** What an item must be, and the error of one that is not. */
  isValid(this: void, item: string): boolean;
  error: FieldErrorName;
  message: string;
}

/** Finds the invalid items of a list, in order. */
export type ItemErrors = (list: unknown) => [index: number, error: FieldErrorName, detail?: string][];

/**
 * The validators of a list of distinct strings. class-validator's `each` does not tell which item is invalid, while a
 * field error names the first one (contract §2).
 */
export function listValidators({ max, isValid, error, message }: ListRules): PropertyDecorator[] {
  const errorOf = (item: unknown, index: number, list: unknown[]): ReturnType<ItemErrors> => {
    if (typeof item !== 'string') return [[index, 'wrongType', 'must be a string']];
    if (!isValid(item)) return [[index, error, message]];
    return list.indexOf(item) === index ? [] : [[index, 'repeatedItem']];
  };
  const itemErrors: ItemErrors = (list) => (list as unknown[]).flatMap(errorOf);
  const validator = { validate: (list: unknown) => itemErrors(list).length === 0 };
  return [
    IsArray(reports('wrongType', 'must be a list of strings')),
    ...(max === undefined ? [] : [ArrayMaxSize(max, reports('tooManyItems', `must have at most ${max} items`))]),
    ValidateBy({ name: 'eachItem', validator }, { ...reports(error), context: { itemErrors } }),
  ];
}
