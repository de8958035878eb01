import { IsBoolean } from 'class-validator';
import { RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { field, reports, TextRule } from '../fields/field';
import { type Bounds, integer, IsOneOf } from '../fields/value-fields';
import { blankAsEmpty, codePointLength } from '../text';

/** A whole number in decimal digits. */
export function QueryInteger({
  min,
  max,
  ...presence
}: Bounds & ({ default: number } | { optional: true })): PropertyDecorator {
  const { validators, schema } = integer({ min, max });
  const normalize = (value: unknown): unknown => (/^[0-9]+$/.test(value as string) ? Number(value) : value);
  return field({ presence, normalize, validators, schema: { ...schema, nullable: false } });
}

/** A record's id to filter by. If no such record exists, the list is empty (contract §2, Lists). */
export function QueryId(): PropertyDecorator {
  return field({
    presence: { optional: true },
    validators: [TextRule('badFormat', (id) => RECORD_ID.test(id), RECORD_ID_FORM)],
    schema: { type: String, pattern: RECORD_ID.source, nullable: false },
  });
}

const PRINTABLE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';

/** A text to search for, used as it is: it is not trimmed. A blank one counts as left out (contract §2 `q`). */
export function QuerySearch({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => codePointLength(text) <= max;
  return field({
    presence: { optional: true },
    normalize: (text) => blankAsEmpty(text as string) || undefined,
    validators: [TextRule('tooLong', isValid, `must have at most ${max} characters`)],
    schema: { type: String, maxLength: max, pattern: PRINTABLE, nullable: false },
  });
}

/** A text to filter by, used as it is. */
export function QueryText({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => text !== '' && codePointLength(text) <= max;
  return field({
    presence: { optional: true },
    validators: [TextRule('tooLong', isValid, `must have 1 to ${max} characters`)],
    schema: { type: String, minLength: 1, maxLength: max, pattern: PRINTABLE, nullable: false },
  });
}

/** `true` or `false`. */
export function QueryFlag(): PropertyDecorator {
  return field({
    presence: { optional: true },
    normalize: (value) => (value === 'true' ? true : value === 'false' ? false : value),
    validators: [IsBoolean(reports('wrongType', 'must be true or false'))],
    schema: { type: Boolean, nullable: false },
  });
}

/** One of these values. */
export function QueryOneOf(values: readonly string[]): PropertyDecorator {
  return field({
    presence: { optional: true },
    validators: [IsOneOf(values)],
    schema: { type: String, enum: [...values], nullable: false },
  });
}
