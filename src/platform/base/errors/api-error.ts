/** An error that a response can be: its status, its code, and its message unless a throw has another. */
export interface ErrorEntry {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /**
   * For a conflict with another record, the path of that record's collection, for the `Location` of the error. Only where
   * everybody who gets the error may read the record. Otherwise, it would turn an e-mail address into an account.
   */
  readonly holderAt?: string;
}

/** The errors of the platform by name, in the order of their codes. */
export const platformErrors = {
  unusableBody: { status: 400, code: 1001, message: 'The body must be a JSON object.' },
  invalidQuery: { status: 400, code: 1002, message: 'The query string is not valid.' },
  unsupportedMediaType: {
    status: 415,
    code: 1003,
    message: 'The media type or encoding of the body is not supported.',
  },
  bodyTooLarge: { status: 413, code: 1004, message: 'The body is too large.' },
  unusableRequest: { status: 400, code: 1006, message: 'The request could not be understood.' },
  requestTimeout: { status: 408, code: 1006, message: 'The request did not arrive in time.' },
  uriTooLong: { status: 414, code: 1006, message: 'The request target is too long.' },
  expectationFailed: { status: 417, code: 1006, message: 'The expectation in the Expect header cannot be met.' },
  headersTooLarge: { status: 431, code: 1006, message: 'The header section is larger than 16 KiB.' },
  invalidContent: { status: 400, code: 1024, message: 'Some fields of the body are not valid.' },

  noCredentials: { status: 401, code: 1100, message: 'Send an access token or API key: Authorization: Bearer TOKEN.' },
  tokenUnusable: { status: 401, code: 1101, message: 'The access token or API key is not valid, or has expired.' },
  accountGone: { status: 401, code: 1102, message: 'The account or session of this access token no longer exists.' },

  forbidden: { status: 403, code: 1200, message: 'You do not have permission to do this.' },
  apiKeyForbidden: { status: 403, code: 1201, message: 'This API key may not do this.' },
  suspended: { status: 403, code: 1202, message: 'This account is suspended.' },
  noAccount: { status: 403, code: 1203, message: 'This identity has no account.' },

  pathNotFound: { status: 404, code: 1301, message: 'No such path.' },

  methodNotAllowed: { status: 405, code: 1400, message: 'This path does not support this method.' },

  tooMany: { status: 409, code: 1508, message: 'A limit on the number of records is reached.' },
  concurrentChange: {
    status: 409,
    code: 1510,
    message: 'The record was changed by another request at the same time. Try again.',
  },

  preconditionFailed: { status: 412, code: 1600, message: 'The record has changed: its ETag does not match If-Match.' },

  tooManyRequests: { status: 429, code: 1700, message: 'Too many requests. Try again later.' },

  unexpected: { status: 500, code: 1900, message: 'An unexpected error occurred.' },
  databaseUnavailable: { status: 503, code: 1901, message: 'The database is not available. Try again later.' },
  maintenance: { status: 503, code: 1902, message: 'The service is under maintenance. Try again later.' },
  overloaded: { status: 503, code: 1903, message: 'The service is overloaded. Try again later.' },
  providerUnavailable: {
    status: 503,
    code: 1904,
    message: 'The identity provider is not available, so this token cannot be verified. Try again later.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type PlatformErrorName = keyof typeof platformErrors;

/**
 * Every error that a response can be, with those of src/registry/errors.ts.
 *
 * The compiler shows this name, not all of the table's, where it finds one that is not in the table.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias could not be extended
export interface ApiErrors extends Readonly<typeof platformErrors> {}

export type ErrorName = keyof ApiErrors;

/** Every error that a response can be, by name, once `defineErrors` was called. */
export const apiErrors = { ...platformErrors } as ApiErrors;

/** Defines every error that a response can be: those of the platform and of the product. The root module calls it. */
export function defineErrors(errors: ApiErrors): void {
  Object.assign(apiErrors, errors);
}

/** The names of all errors, in the order of their codes. */
export function errorNames(): ErrorName[] {
  const codeOf = (name: ErrorName): number => apiErrors[name].code;
  return (Object.keys(apiErrors) as ErrorName[]).sort((one, other) => codeOf(one) - codeOf(other));
}

/**
 * An error of the table, perhaps with another message or headers (`allow`); the exception filter sends it. Only errors
 * with status 5xx have a trace: that of a client's error has no reader, and making it takes longer than the rest.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(
    readonly errorName: ErrorName,
    message: string = apiErrors[errorName].message,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const { stackTraceLimit } = Error;
    if (apiErrors[errorName].status < 500) Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = apiErrors[errorName].status;
    this.code = apiErrors[errorName].code;
  }
}

/** Makes the error of that name: `throw apiError('managerExists')`. */
export function apiError(...error: ConstructorParameters<typeof ApiError>): ApiError {
  return new ApiError(...error);
}
