/** The form of a record's id: 24 lower-case hexadecimal digits (contract §1.2). */
export const RECORD_ID = /^[0-9a-f]{24}$/;

/** The same in words, for error details. */
export const RECORD_ID_FORM = 'must be 24 lower-case hexadecimal digits';
