import { ApiExtension } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { FieldErrorName } from '../../base/errors/field-error';

type Values = Readonly<Record<string, unknown>>;

/** Of these optional fields, one must be given: without one, the first is missing (5001); a second one is 5003. */
export function ExactlyOneOf(...names: readonly [string, ...string[]]): ClassDecorator {
  return (dto) => {
    ApiExtension('x-exactly-one-of', names)(dto);
    const prototype = dto.prototype as object;
    const [first, ...others] = names;
    const isAnyGiven = (values: Values): boolean => names.some((name) => values[name] !== undefined);
    valid('missing', isAnyGiven, `is required, unless ${others.join(' or ')} is given`)(prototype, first);
    for (const [index, name] of others.entries()) {
      const earlier = names.slice(0, index + 1);
      const isAlone = (values: Values): boolean =>
        values[name] === undefined || earlier.every((other) => values[other] === undefined);
      valid('unknownField', isAlone, `cannot be given together with ${earlier.join(' or ')}`)(prototype, name);
    }
  };
}

/** A field that must be given when this other one is (5001). */
export function RequiredWith(other: string): PropertyDecorator {
  return (prototype, name) => {
    const isValid = (values: Values): boolean => !isGiven(values[other]) || isGiven(values[String(name)]);
    valid('missing', isValid, `is required with ${other}`)(prototype, name);
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A rule about several fields; unlike those about one, it also applies if the field is left out. */
function valid(error: FieldErrorName, isValid: (values: Values) => boolean, message: string): PropertyDecorator {
  const validate = (_: unknown, args?: ValidationArguments): boolean => isValid(args!.object as Values);
  return ValidateBy({ name: error, validator: { validate } }, { message, context: { error } });
}
