/** The form of a record's id: 24 lower-case hexadecimal digits (contract §1.2). */
export const RECORD_ID = /^[0-9a-f]{24}$/;

/** The same in words, for error details. */
export const RECORD_ID_FORM = 'must be 24 lower-case hexadecimal digits';

/** Looks like a record's id; no record has it. For documentation. */
export const EXAMPLE_ID = '65f5f0a2c3d4e5f60718293c';

/** Names the caller in the place of a User's id, where the contract allows it (§1.2). */
export const ME = 'me';
export const RECORD_ID_OR_ME = /^(?:me|[0-9a-f]{24})$/;
