import type { AnySchema } from '../driver/any-model';
import { optionsOf } from './field-options';

/** Whether a list is sorted by `_id`, so that a page can begin after one. */
export const isById = ({ sort = '_id' }: { readonly sort?: string }): boolean => /^-?_id$/.test(sort);

/** The stored field that a list is sorted by, before `_id`, and its direction: `nameKey` and -1 of `-name`. */
export function orderOf(schema: AnySchema, sort = '_id'): { readonly by: string; readonly order: 1 | -1 } {
  const name = sort.replace('-', '');
  const { keyField, timeField } = optionsOf(schema.path(name));
  return { by: keyField ?? timeField ?? name, order: sort.startsWith('-') ? -1 : 1 };
}

/** Adds the indexes of the fields by which lists are sorted (`@Sorts`). */
export function addSortIndexes(schema: AnySchema, ...names: readonly string[]): void {
  for (const name of names) {
    const { by } = orderOf(schema, name);
    // The longer one serves what it serves.
    schema.path(by).index(false);
    schema.index({ [by]: 1, _id: 1 });
  }
}
