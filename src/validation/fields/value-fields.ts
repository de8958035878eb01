import { field, type Presence } from './field';
import { distinct, eachItem, listOfStrings } from './list-rules';
import { ofType, stringRule } from './rule';

/** One of these values (5008). */
export function OneOf<T extends string>(values: readonly T[], presence: Presence<T> = {}): PropertyDecorator {
  return field({
    ...presence,
    rules: [
      ofType('string', 'must be a string'),
      stringRule('notOneOf', `must be one of: ${values.join(', ')}`, isOneOf(values)),
    ],
    schema: { type: String, enum: [...values] },
  });
}

/** A list of some of these values, each once (5008, 5011). */
export function ListOf<T extends string>(
  values: readonly T[],
  presence: Presence<readonly T[]> = {},
): PropertyDecorator {
  return field({
    ...presence,
    rules: [listOfStrings, eachItem('notOneOf', `must be one of: ${values.join(', ')}`, isOneOf(values)), distinct],
    schema: { type: 'array', items: { type: 'string', enum: [...values] }, uniqueItems: true },
  });
}

/** True or false. */
export function Flag(presence: Presence<boolean> = {}): PropertyDecorator {
  return field({ ...presence, rules: [ofType('boolean', 'must be true or false')], schema: { type: Boolean } });
}

function isOneOf(values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}
