import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { type FieldError, fieldError, type FieldErrorName } from '../../errors/field-error';
import type { ItemErrors } from './list-field';
import { requestFieldsOf } from './field';

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

/** The declared values without their members: class-transformer would call a member named `constructor` with `new`. */
export function declaredValues(dto: object, values: object): Record<string, unknown> {
  const names = requestFieldsOf(dto);
  const flat = (value: unknown): unknown => (typeof value === 'object' && value !== null ? {} : value);
  const declared = Object.entries(values).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    declared.map(([name, value]) => [name, Array.isArray(value) ? value.map(flat) : flat(value)]),
  );
}

/** class-validator's errors as the contract reports them: one per field, in the model's order (contract §2). */
export function toFieldErrors(errors: readonly ValidationError[]): FieldError[] {
  const names = requestFieldsOf(errors[0]?.target?.constructor ?? Object);
  return errors.toSorted((one, other) => names.indexOf(one.property) - names.indexOf(other.property)).map(toFieldError);
}

/** What our decorators hand to class-validator as a rule's context. */
type Context = { error: FieldErrorName } | { itemErrors: ItemErrors };

function toFieldError({ property, value, constraints, contexts }: ValidationError): FieldError {
  const [rule, detail] = Object.entries(constraints!)[0]!;
  const context = contexts![rule] as Context;
  if ('error' in context) return fieldError(context.error, property, detail);
  const [index, error, itemDetail] = context.itemErrors(value as unknown[])[0]!;
  return fieldError(error, `${property}.${index}`, itemDetail);
}
