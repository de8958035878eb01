/** The format of a record's id: 24 lower-case hexadecimal digits (contract §1.2). */
export const RECORD_ID = /^[0-9a-f]{24}$/;

/** Human-readable form, used in error details. */
export const RECORD_ID_FORM = 'must be 24 lower-case hexadecimal digits';

/** Whether `text` has the format of a record's id. The record may not exist. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}
