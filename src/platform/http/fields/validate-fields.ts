import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { type FieldError, fieldError, type FieldErrorName } from '../../base/errors/field-error';
import type { ItemErrors } from './list-fields';
import { requestFieldsOf } from './field';
import { readOnlyFieldsOf } from './read-only-fields';

type Dto = new () => object;

export const transformOptions: ClassTransformOptions = { excludeExtraneousValues: true, exposeUnsetFields: false };
export const validatorOptions: ValidatorOptions = { forbidUnknownValues: false, stopAtFirstError: true };

/** Makes an instance of a DTO from values by name, and validates it. Names that it does not declare are ignored. */
export function validateFields<T extends object>(
  dto: new () => T,
  values: object,
): { value: T; fieldErrors: FieldError[] } {
  const value = plainToInstance(dto, declaredValues(dto, values), transformOptions);
  return { value, fieldErrors: toFieldErrors(validateSync(value, validatorOptions)) };
}

/** The declared values. class-transformer would call a member named `constructor` with `new`, so an object is emptied. */
export function declaredValues(dto: Dto, values: object): Record<string, unknown> {
  const names = requestFieldsOf(dto);
  const declared = Object.entries(values).filter(([name]) => names.includes(name));
  return Object.fromEntries(declared.map(([name, value]) => [name, withoutMembers(value)]));
}

/** No field holds an object. */
function withoutMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMembers);
  return typeof value === 'object' && value !== null ? {} : value;
}

/** The names of the values that a DTO does not declare. */
export function unknownFields(dto: Dto, values: object): string[] {
  const known = [...requestFieldsOf(dto), ...readOnlyFieldsOf(dto)];
  return Object.keys(values).filter((name) => !known.includes(name));
}

/** class-validator's errors as the contract reports them: one per field, in the model's order. */
export function toFieldErrors(errors: readonly ValidationError[]): FieldError[] {
  const names = requestFieldsOf(errors[0]?.target?.constructor ?? Object);
  return errors.toSorted((one, other) => names.indexOf(one.property) - names.indexOf(other.property)).map(ofField);
}

/** What our decorators hand to class-validator as a rule's context. */
type Context = { error: FieldErrorName } | { itemErrors: ItemErrors };

function ofField({ property, value, constraints, contexts }: ValidationError): FieldError {
  const [rule, detail] = Object.entries(constraints!)[0]!;
  const context = contexts![rule] as Context;
  if ('error' in context) return fieldError(context.error, property, detail);
  const [index, error, itemDetail] = context.itemErrors(value as unknown[])[0]!;
  return fieldError(error, `${property}.${index}`, itemDetail);
}
