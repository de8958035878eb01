import { IsString } from 'class-validator';
import { isRecordId, RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { trim } from '../text';
import { listValidators } from './list-validators';
import { field, isRequired, normalizedText, type Presence, reports, TextRule } from './field';

/** The id of a record. Whether the record exists is checked by the service (5012). */
export function RecordId(presence: Presence<string> = {}): PropertyDecorator {
  return field({
    presence,
    normalize: normalizedText(presence, (text) => (trim(text) === '' ? '' : text)),
    validators: [
      IsString(reports('wrongType', 'must be a string')),
      TextRule('blank', (id) => id !== ''),
      TextRule('badFormat', isRecordId, RECORD_ID_FORM),
    ],
    schema: { type: String, pattern: isRequired(presence) ? RECORD_ID.source : '^(?:[0-9a-f]{24})?$' },
  });
}

/** A list of at most `max` ids, each once. */
export function RecordIds({ max, ...presence }: Presence<readonly string[]> & { max: number }): PropertyDecorator {
  return field({
    presence,
    validators: listValidators({ max, isValid: isRecordId, error: 'badFormat', message: RECORD_ID_FORM }),
    schema: {
      type: 'array',
      items: { type: 'string', pattern: RECORD_ID.source },
      maxItems: max,
      uniqueItems: true,
    },
  });
}
