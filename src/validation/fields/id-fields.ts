import { RECORD_ID, RECORD_ID_FORM } from '../../http/record-id';
import { blankAsEmpty } from '../text';
import { isRequired, type Presence, textField, TextRule } from './field';
import { listField } from './list-field';

/** The id of a record. Whether the record exists is checked by the service (5012). */
export function RecordId(presence: Presence<string> = {}): PropertyDecorator {
  return textField({
    presence,
    normalize: blankAsEmpty,
    validators: [TextRule('badFormat', (id) => RECORD_ID.test(id), RECORD_ID_FORM)],
    schema: { pattern: isRequired(presence) ? RECORD_ID.source : '^(?:[0-9a-f]{24})?$' },
  });
}

/** A list of at most `max` ids, each once. */
export function RecordIds({ max, ...presence }: Presence<readonly string[]> & { max: number }): PropertyDecorator {
  const isValid = (id: string): boolean => RECORD_ID.test(id);
  const items = { pattern: RECORD_ID.source };
  return listField({ presence, max, items, isValid, error: 'badFormat', message: RECORD_ID_FORM });
}
