import { ApiError } from './api-error';

/** Every error that a field of a body can have, by name: its code and its detail. */
export const fieldErrors = {
  missing: { code: 5001, detail: 'is required' },
  blank: { code: 5622, detail: 'must not be blank' },
  wrongType: { code: 5002, detail: 'has the wrong type' },
  forbiddenCharacters: { code: 5432, detail: 'contains characters that are not allowed' },
  tooShort: { code: 5005, detail: 'is too short' },
  tooLong: { code: 5006, detail: 'is too long' },
  tooManyItems: { code: 5010, detail: 'has too many items' },
  badFormat: { code: 5007, detail: 'has the wrong format' },
  notOneOf: { code: 5008, detail: 'is not one of the allowed values' },
  outOfRange: { code: 5009, detail: 'is out of range' },
  repeatedItem: { code: 5011, detail: 'contains the same item twice' },
  namesNothing: { code: 5012, detail: 'does not exist or may not be used' },
  wrongCurrentPassword: { code: 5013, detail: 'is not the current password' },
  tooCommon: { code: 5014, detail: 'is too common' },
  changedElsewhere: { code: 5004, detail: 'is changed by other operations' },
  unknownField: { code: 5003, detail: 'is not a field of this record' },
} as const satisfies Record<string, { code: number; detail: string }>;

export type FieldErrorName = keyof typeof fieldErrors;

/** An error of one field, as a response lists it. */
export interface FieldError {
  code: number;
  /** The name of the field, with the index of a list's item: `featuredApiIds.2`. */
  title: string;
  detail: string;
}

/** Makes the error of that name for the field `title`; `detail` replaces the one in the table. */
export function fieldError(name: FieldErrorName, title: string, detail?: string): FieldError {
  return { code: fieldErrors[name].code, title, detail: detail ?? fieldErrors[name].detail };
}

/** The content of a body is invalid (400, code 1024); the response lists the field errors. */
export class InvalidContentError extends ApiError {
  constructor(readonly fieldErrors: readonly FieldError[]) {
    super('invalidContent');
  }
}

/** Makes the error of content with these field errors: `throw invalidContent(fieldError('missing', 'name'))`. */
export function invalidContent(...found: readonly FieldError[]): InvalidContentError {
  return new InvalidContentError(found);
}
