import type { FieldErrorName } from '../../errors/field-error';
import type { Rule } from './rule';

/** The value, if any, is a list of strings (5002, on the list or on its first item that is none). */
export const listOfStrings: Rule = {
  fault: 'wrongType',
  detail: 'must be a list of strings',
  holds: (value) => value === undefined || value === null || (Array.isArray(value) && !value.some(isNoString)),
  at: (value) => (Array.isArray(value) ? value.findIndex(isNoString) : -1),
};

/** The list holds at most `max` items (5010). */
export function atMost(max: number): Rule {
  return {
    fault: 'tooManyItems',
    detail: `must hold at most ${max} items`,
    holds: (value) => !Array.isArray(value) || value.length <= max,
  };
}

/** Each item keeps to `holds`, which is also told its index and the list; items that are no strings are passed over. */
export function eachItem(
  fault: FieldErrorName,
  detail: string | undefined,
  holds: (item: string, index: number, items: readonly unknown[]) => boolean,
): Rule {
  const breaks = (item: unknown, index: number, items: readonly unknown[]): boolean =>
    typeof item === 'string' && !holds(item, index, items);
  const at = (value: unknown): number => (Array.isArray(value) ? value.findIndex(breaks) : -1);
  return { fault, detail, at, holds: (value) => at(value) === -1 };
}

/** No item stands in the list twice (5011); the second one is the faulty one. */
export const distinct: Rule = eachItem(
  'repeatedItem',
  undefined,
  (item, index, items) => items.indexOf(item) === index,
);

function isNoString(item: unknown): boolean {
  return typeof item !== 'string';
}
