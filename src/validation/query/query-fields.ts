import { IsIn } from 'class-validator';
import { isRecordId, RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { field, reports, TextRule } from '../fields/field';
import { type Bounds, integerValidators } from '../fields/value-fields';
import { codePointLength } from '../text';

/** A whole number in decimal digits, and its value when it is left out. */
export function QueryInteger({ min, max, ...presence }: Bounds & { default: number }): PropertyDecorator {
  return field({
    presence,
    normalize: (value) => (/^[0-9]+$/.test(value as string) ? Number(value) : value),
    validators: integerValidators({ min, max }),
    schema: { type: 'integer', minimum: min, maximum: max, nullable: false },
  });
}

/** A record's id to filter by. If no such record exists, the list is empty (contract §2, Lists). */
export function QueryId(): PropertyDecorator {
  return field({
    presence: { optional: true },
    validators: [TextRule('badFormat', isRecordId, RECORD_ID_FORM)],
    schema: { type: String, pattern: RECORD_ID.source, nullable: false },
  });
}

/** A text to search for, used as it is: it is not trimmed, and may be blank. */
export function QueryText({ max }: { max: number }): PropertyDecorator {
  const isValid = (text: string): boolean => text !== '' && codePointLength(text) <= max;
  return field({
    presence: { optional: true },
    validators: [TextRule('tooLong', isValid, `must have 1 to ${max} characters`)],
    schema: { type: String, minLength: 1, maxLength: max, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$', nullable: false },
  });
}

/** One of these values. */
export function QueryOneOf(values: readonly string[]): PropertyDecorator {
  return field({
    presence: { optional: true },
    validators: [IsIn(values, reports('notOneOf', `must be one of: ${values.join(', ')}`))],
    schema: { type: String, enum: [...values], nullable: false },
  });
}
