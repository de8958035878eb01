import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, Max, Min, ValidateBy } from 'class-validator';

/** One of several words. */
export function Word(...words: readonly string[]): PropertyDecorator {
  return IsIn(words, { message: `must be one of ${words.join(', ')}` });
}

/** `on` or `off`. */
export function Flag(): PropertyDecorator {
  const message = 'must be one of on, off';
  return applyDecorators(
    Parsed((given) => (given === 'on' ? true : given !== 'off' && given)),
    IsBoolean({ message }),
  );
}

/** A whole number. */
export function Whole(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  const rules = [IsInt, () => Min(min, { message }), () => Max(max, { message })];
  return applyDecorators(
    Type(() => Number),
    ...rules.map((rule) => rule({ message })),
  );
}

/** A list, separated by commas. */
export function List(): PropertyDecorator {
  return Parsed((given) => Object.freeze(given.split(',').map((item) => item.trim())));
}

/** A value that is made from the text of the variable. */
export function Parsed(parse: (given: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

/**
 * A value for which `holds` is true; it gets the other settings, too.
 * @param expected follows "it must"
 */
export function Rule<T, S extends object>(
  holds: (value: T, settings: S) => boolean,
  expected: string | ((value: T) => string),
): PropertyDecorator {
  return ValidateBy({
    name: holds.toString(),
    validator: {
      validate: (value: T, args) => holds(value, args!.object as S),
      defaultMessage: (args) => `must ${typeof expected === 'string' ? expected : expected(args!.value as T)}`,
    },
  });
}
