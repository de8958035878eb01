import { ApiError } from './api-error';

/**
 * Every fault that a field of a body can have: name → code, reason (contract §5), in the order in which a field's
 * faults are judged (contract §2): the first one is reported.
 */
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
  unknownField: { code: 5003, detail: 'is not a field of this record' },
} as const satisfies Record<string, { code: number; detail: string }>;

/** A row of the table, as `fault` takes it. */
export type FieldErrorName = keyof typeof fieldErrors;

/** One faulty field, as the validation form shows it (contract §2). */
export interface FieldError {
  code: number;
  /** The field's dotted name, with index: `featuredApiIds.2`. */
  title: string;
  detail: string;
}

/** Makes the fault of that name for the field `title`; `detail` replaces the table's reason. */
export function fieldError(name: FieldErrorName, title: string, detail?: string): FieldError {
  return { code: fieldErrors[name].code, title, detail: detail ?? fieldErrors[name].detail };
}

/** Content that is not valid (400, code 1024): the filter answers with the validation form. */
export class InvalidContentError extends ApiError {
  constructor(readonly fieldErrors: readonly FieldError[]) {
    super('invalidContent');
  }
}

/** Makes the failure for content with these faults, to be thrown: `throw invalid(fault('missing', 'name'))`. */
export function invalidContent(...found: readonly FieldError[]): InvalidContentError {
  return new InvalidContentError(found);
}
