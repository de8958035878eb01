/** Every error that a response can be, by name, in the order of the codes (contract §5). No other place has them. */
export const apiErrors = {
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

  noCredentials: { status: 401, code: 1100, message: 'Send an access token: Authorization: Bearer TOKEN.' },
  tokenUnusable: { status: 401, code: 1101, message: 'The access token or API key is not valid, or has expired.' },
  accountGone: { status: 401, code: 1102, message: 'The account or session of this access token no longer exists.' },
  wrongLogin: { status: 401, code: 1103, message: 'The username, e-mail address or password is wrong.' },
  refreshTokenUnusable: { status: 401, code: 1104, message: 'The refresh token is not valid or has expired.' },

  forbidden: { status: 403, code: 1200, message: 'You do not have permission to do this.' },
  apiKeyForbidden: { status: 403, code: 1201, message: 'This API key may not do this.' },
  suspended: { status: 403, code: 1202, message: 'This account is suspended.' },
  noAccount: { status: 403, code: 1203, message: 'This identity has no account.' },
  organizationNotFound: { status: 404, code: 1234, message: 'No Organization has this id.' },

  pathNotFound: { status: 404, code: 1301, message: 'No such path.' },
  userNotFound: { status: 404, code: 1302, message: 'No User has this id.' },
  apiNotFound: { status: 404, code: 1303, message: 'No API has this id.' },
  managerNotFound: { status: 404, code: 1304, message: 'The Organization has no Manager with this id.' },
  fileNotFound: { status: 404, code: 1305, message: 'No File has this id.' },
  sessionNotFound: { status: 404, code: 1306, message: 'No Session has this id.' },
  apiKeyNotFound: { status: 404, code: 1307, message: 'The User has no API key with this id.' },

  methodNotAllowed: { status: 405, code: 1400, message: 'This path does not support this method.' },

  organizationNameTaken: { status: 409, code: 1501, message: 'An Organization with this name already exists.' },
  usernameTaken: { status: 409, code: 1502, message: 'A User with this username already exists.' },
  emailTaken: { status: 409, code: 1503, message: 'A User with this e-mail address already exists.' },
  managerExists: { status: 409, code: 1504, message: 'This User is already a Manager of the Organization.' },
  apiNameTaken: { status: 409, code: 1505, message: 'The Organization already has an API with this name.' },
  lastManager: { status: 409, code: 1506, message: 'An Organization must keep at least one Manager.' },
  lastAdmin: { status: 409, code: 1507, message: 'The registry must keep at least one Admin.' },
  tooMany: { status: 409, code: 1508, message: 'A limit on the number of records is reached.' },
  fileInUse: { status: 409, code: 1509, message: 'The File is the logo of an Organization.' },
  concurrentChange: {
    status: 409,
    code: 1510,
    message: 'The record was changed by another request at the same time. Try again.',
  },
  tooManyFiles: {
    status: 409,
    code: 1511,
    message:
      'You have reached the limit of 20 Files that never were a logo, or of 100 that are no logo. Delete one first: GET /files, DELETE /files/:id.',
  },
  tooManyApiKeys: {
    status: 409,
    code: 1512,
    message: 'The User has reached the limit of 20 API keys. Delete one first.',
  },
  externalIdTaken: { status: 409, code: 1513, message: 'A User with this externalId already exists.' },

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
} as const satisfies Record<string, { status: number; code: number; message: string }>;

export type ErrorName = keyof ApiErrors;

/** The compiler shows this name, not all of the table's, where it finds one that is not in the table. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias would not be shown by its name
interface ApiErrors extends Readonly<typeof apiErrors> {}

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
