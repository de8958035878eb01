import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { type FieldError, fieldError, type FieldErrorName } from '../../base/errors/field-error';
import type { ItemErrors } from './list-fields';
import { requestFieldsOf } from './field';
import { nestedDtoOf } from './nested-field';
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

/**
 * The declared values without members that no DTO declares: class-transformer would call a member named `constructor` with
 * `new`.
 */
export function declaredValues(dto: Dto, values: object): Record<string, unknown> {
  const names = requestFieldsOf(dto);
  const declared = Object.entries(values).filter(([name]) => names.includes(name));
  return Object.fromEntries(declared.map(([name, value]) => [name, declaredValue(value, nestedDtoOf(dto, name))]));
}

function declaredValue(value: unknown, nested: Dto | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => declaredValue(item, undefined));
  if (typeof value !== 'object' || value === null) return value;
  return nested ? declaredValues(nested, value) : {};
}

/** The names of the values that a DTO and those nested in it do not declare: `headquarters.zip`. */
export function unknownFields(dto: Dto, values: object): string[] {
  const known = [...requestFieldsOf(dto), ...readOnlyFieldsOf(dto)];
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    if (!known.includes(name)) return name;
    const nested = nestedDtoOf(dto, name);
    if (!nested || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return unknownFields(nested, value).map((inner) => `${name}.${inner}`);
  });
}

/** class-validator's errors as the contract reports them: one per field, in the model's order. */
export function toFieldErrors(errors: readonly ValidationError[]): FieldError[] {
  const names = requestFieldsOf(errors[0]?.target?.constructor ?? Object);
  return errors.toSorted((one, other) => names.indexOf(one.property) - names.indexOf(other.property)).flatMap(ofField);
}

/** What our decorators hand to class-validator as a rule's context. */
type Context = { error: FieldErrorName } | { itemErrors: ItemErrors };

function ofField({ property, value, constraints, contexts, children = [] }: ValidationError): FieldError[] {
  if (!constraints) return toFieldErrors(children).map((inner) => ({ ...inner, title: `${property}.${inner.title}` }));
  const [rule, detail] = Object.entries(constraints)[0]!;
  const context = contexts![rule] as Context;
  if ('error' in context) return [fieldError(context.error, property, detail)];
  const [index, error, itemDetail] = context.itemErrors(value as unknown[])[0]!;
  return [fieldError(error, `${property}.${index}`, itemDetail)];
}
