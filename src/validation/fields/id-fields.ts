import { isRecordId, RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { trim } from '../text';
import { field, isRequired, type Presence } from './field';
import { atMost, distinct, eachItem, listOfStrings } from './list-rules';
import { notBlank, ofType, stringRule } from './rule';

/** The id of a record; whether it names one the service looks up (5012). */
export function RecordId(presence: Presence<string> = {}): PropertyDecorator {
  const required = isRequired(presence);
  return field({
    ...presence,
    normalize: (value) => (isBlank(value) ? (required ? '' : undefined) : value),
    rules: [
      ...(required ? [notBlank] : []),
      ofType('string', 'must be a string'),
      stringRule('badFormat', RECORD_ID_FORM, (id) => id === '' || isRecordId(id)),
    ],
    schema: { type: String, pattern: required ? RECORD_ID.source : '^(?:[0-9a-f]{24})?$' },
  });
}

/** A list of at most `max` ids, each once. */
export function RecordIds({ max, ...presence }: Presence<readonly string[]> & { max: number }): PropertyDecorator {
  return field({
    ...presence,
    rules: [listOfStrings, atMost(max), eachItem('badFormat', RECORD_ID_FORM, isRecordId), distinct],
    schema: {
      type: 'array',
      items: { type: 'string', pattern: RECORD_ID.source },
      maxItems: max,
      uniqueItems: true,
    },
  });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && trim(value) === '';
}
