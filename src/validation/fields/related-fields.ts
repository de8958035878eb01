import { ValidateBy, ValidationArguments } from 'class-validator';
import { FieldErrorName, fieldErrors } from '../../errors/field-error';

const alternatives = new WeakMap<object, readonly string[]>();

/** The fields of a DTO of which exactly one is given; none without `@ExactlyOneOf`. For the documentation. */
export function alternativesOf(dto: object): readonly string[] {
  return alternatives.get(dto) ?? [];
}

/**
 * Of these fields exactly one is given: none is a missing one (5001) on the first of them, and each that follows a given
 * one is a field too many (5003). Stands on the DTO, whose fields of these names are declared as optional.
 */
export function ExactlyOneOf(...names: readonly string[]): ClassDecorator {
  return (dto) => {
    alternatives.set(dto, names);
    const prototype = dto.prototype as object;
    const [first = ''] = names;
    related('missing', `is required, unless ${names.slice(1).join(' or ')} is given`, (values) =>
      names.some((name) => values[name] !== undefined),
    )(prototype, first);
    for (const [index, name] of names.entries()) {
      const earlier = names.slice(0, index);
      related('unknownField', `cannot be given together with ${earlier.join(' or ')}`, (values) => {
        return values[name] === undefined || earlier.every((other) => values[other] === undefined);
      })(prototype, name);
    }
  };
}

/** The field is required when that other one is given (5001). */
export function RequiredWith(other: string): PropertyDecorator {
  return (prototype, name) => {
    related('missing', `is required together with ${other}`, (values) => {
      return values[other] === undefined || values[String(name)] !== undefined;
    })(prototype, name);
  };
}

function related(
  name: FieldErrorName,
  detail: string,
  holds: (values: Readonly<Record<string, unknown>>) => boolean,
): PropertyDecorator {
  const validate = (_value: unknown, args?: ValidationArguments): boolean =>
    holds(args?.object as Readonly<Record<string, unknown>>);
  return ValidateBy(
    { name, validator: { validate, defaultMessage: () => detail || fieldErrors[name].detail } },
    { context: {} },
  );
}
