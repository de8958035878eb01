import { field, FieldDefinition } from '../fields/field';
import { type Rule, stringRule } from '../fields/rule';
import { isRecordId, RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { codePointLength } from '../text';

/** The bounds of a number, what stands for one that is left out, and whether the document hides that. */
interface QueryIntegerOptions extends Pick<FieldDefinition, 'hidesDefault'> {
  min: number;
  max: number;
  default: number;
}

/** A whole number in decimal digits. */
export function QueryInteger(bounds: QueryIntegerOptions): PropertyDecorator {
  const { min, max } = bounds;
  const rule: Rule = {
    fault: 'outOfRange',
    detail: `must be a whole number from ${min} to ${max}`,
    holds: (value) => typeof value === 'number' && value >= min && value <= max,
  };
  return field({
    default: bounds.default,
    hidesDefault: bounds.hidesDefault,
    normalize: (value) => (typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value),
    rules: [rule],
    schema: { type: 'integer', minimum: min, maximum: max, nullable: false },
  });
}

/** A record's id to filter by; one of nothing gives an empty list (contract §2, Lists). */
export function QueryId(): PropertyDecorator {
  return field({
    optional: true,
    rules: [stringRule('badFormat', RECORD_ID_FORM, isRecordId)],
    schema: { type: String, pattern: RECORD_ID.source, nullable: false },
  });
}

/** A text to look for, taken as it is: neither trimmed nor blank-checked. */
export function QueryText({ max }: { max: number }): PropertyDecorator {
  const holds = (text: string): boolean => text !== '' && codePointLength(text) <= max;
  return field({
    optional: true,
    rules: [stringRule('tooLong', `must have 1 to ${max} characters`, holds)],
    schema: { type: String, minLength: 1, maxLength: max, pattern: '^\\P{Cc}*$', nullable: false },
  });
}

/** One of these values. */
export function QueryOneOf(values: readonly string[]): PropertyDecorator {
  return field({
    optional: true,
    rules: [stringRule('notOneOf', `must be one of: ${values.join(', ')}`, (value) => values.includes(value))],
    schema: { type: String, enum: [...values], nullable: false },
  });
}
