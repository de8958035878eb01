import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { RECORD_ID, RECORD_ID_FORM, RECORD_ID_OR_ME } from '../record-id';
import { blankAsEmpty } from '../../base/text/text';
import { field, isRequired, type Presence, reports, textField, TextRule } from './field';

export function OneOf<T extends string>(values: readonly T[], presence: Presence<T> = {}): PropertyDecorator {
  return field({
    presence,
    validators: [IsString(reports('wrongType', 'must be a string')), IsOneOf(values)],
    schema: { type: String, enum: [...values] },
  });
}

function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, reports('notOneOf', oneOf(values)));
}

/** The form of one of these values, for messages. */
export function oneOf(values: readonly string[]): string {
  return `must be one of: ${values.join(', ')}`;
}

/**
 * The id of a record. Whether the record exists is checked by the service (5012).
 * @param me set for a filter by a User's id: `me` is the caller, whose id the service puts in its place
 */
export function RecordId({ me = false, ...presence }: Presence<string> & { me?: boolean } = {}): PropertyDecorator {
  const pattern = me ? RECORD_ID_OR_ME : RECORD_ID;
  return textField({
    presence,
    normalize: blankAsEmpty,
    validators: [TextRule('badFormat', (id) => pattern.test(id), me ? `${RECORD_ID_FORM}, or me` : RECORD_ID_FORM)],
    schema: { pattern: isRequired(presence) || presence.filter ? pattern.source : '^(?:[0-9a-f]{24})?$' },
  });
}

export function Flag(presence: Presence<boolean> = {}): PropertyDecorator {
  return field({
    presence,
    normalize: (value) => (presence.filter && ['true', 'false'].includes(value as string) ? value === 'true' : value),
    validators: [IsBoolean(reports('wrongType', 'must be true or false'))],
    schema: { type: Boolean },
  });
}

interface IntegerOptions extends Presence<number> {
  min: number;
  max: number;
  /** Completes the message for a number that is not valid. */
  advice?: string;
}

/** A JSON number without a fraction: 5.0 is 5, and a string is never converted, but in a query (5002, 5009). */
export function Integer({ min, max, advice = '', ...presence }: IntegerOptions): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}${advice}`;
  return field({
    presence,
    normalize: (value) => (presence.filter && /^[0-9]+$/.test(value as string) ? Number(value) : value),
    validators: [
      IsInt(reports('wrongType', message)),
      Min(min, reports('outOfRange', message)),
      Max(max, reports('outOfRange', message)),
    ],
    schema: { type: 'integer', format: max < 2 ** 31 ? 'int32' : 'int64', minimum: min, maximum: max },
  });
}
