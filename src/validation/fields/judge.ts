import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type FieldError, fieldError, type FieldErrorName, fieldErrors } from '../../errors/field-error';
import { fieldsOf } from './field';
import type { RuleContext } from './rule';

/** What a DTO made of values, and what is wrong with it. */
export interface Judged<T> {
  content: T;
  /** One a field (contract §2, Faults), in the model's order. */
  faults: readonly FieldError[];
}

const order = Object.keys(fieldErrors) as FieldErrorName[];

/**
 * Makes an instance of a DTO, with the fields that it declares and no others, and judges it.
 * @param dto a class whose fields are declared with the decorators of this folder
 * @param values by field name; null-prototype or not, only own members of the declared names are read
 */
export function judge<T extends object>(dto: new () => T, values: object): Judged<T> {
  const names = fieldsOf(dto);
  const given = names.filter((name) => Object.hasOwn(values, name));
  const plain = Object.fromEntries(given.map((name) => [name, flat((values as Record<string, unknown>)[name])]));
  const content = plainToInstance(dto, plain, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const errors = validateSync(content, { forbidUnknownValues: false, validationError: { target: false } });
  const byField = new Map(errors.map((error) => [error.property, error]));
  return { content, faults: names.flatMap((name) => byField.get(name) ?? []).map(firstFault) };
}

/**
 * A value without what lies deeper than a list's items. No field holds an object, so what is in one is of no matter;
 * class-transformer would call a member named `constructor` with `new`, or copy it all.
 */
function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.map(opaque) : opaque(value);
}

function opaque(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value;
}

/** The one fault that a field shows: of the whole before that of an item, of an earlier item before a later one's. */
function firstFault({ property, value, constraints = {}, contexts }: ValidationError): FieldError {
  const broken = order
    .filter((name) => name in constraints)
    .map((name) => ({ name, at: (contexts?.[name] as RuleContext | undefined)?.at?.(value) ?? -1 }));
  const [first] = broken.sort((one, other) => one.at - other.at);
  if (first === undefined) throw new Error(`${property} broke a rule that is no fault.`);
  const title = first.at === -1 ? property : `${property}.${first.at}`;
  return fieldError(first.name, title, constraints[first.name]);
}
