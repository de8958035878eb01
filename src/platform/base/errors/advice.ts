import type { PlatformErrorName } from './api-error';
import type { FieldErrorName } from './field-error';

/** What a client does about an error of the platform, in one sentence. */
export const platformAdvice: Record<PlatformErrorName, string> = {
  unusableBody: 'Send one JSON object as the body, in UTF-8.',
  invalidQuery: 'Correct the parameter that the message names.',
  unsupportedMediaType:
    'Send `Content-Type: application/json`, or `multipart/form-data` for an upload, without compression.',
  bodyTooLarge: 'Send less: the message or the contract says the limit.',
  unusableRequest: 'Correct how the client makes the request: its target, or its headers.',
  requestTimeout: 'Send the whole request without pauses, on a new connection.',
  uriTooLong: 'Use fewer or shorter parameters.',
  expectationFailed: 'Leave out the `Expect` header, or send `100-continue`.',
  headersTooLarge: 'Send fewer or shorter headers, for example no cookies.',
  invalidContent: 'Correct every field that `message` lists: their codes are below.',
  noCredentials: 'Log in with `POST /sessions`, or create an API key, and send it as `Authorization: Bearer …`.',
  tokenUnusable: 'Refresh the access token with `POST /tokens`, log in again, or use another API key.',
  accountGone: 'Log in again.',
  forbidden: 'Ask a Manager of the Organization or an Admin to do it, or to give you the right.',
  apiKeyForbidden: 'Log in with a password, or use a key whose scope is `write`, as the operation says.',
  suspended: 'Ask an Admin to bring the account back.',
  noAccount:
    'Send `POST /users` without a body, if the message names it; otherwise ask an Admin for an account with this `externalId`.',
  pathNotFound: 'Compare the path with the list of operations: no slash at the end, and nothing empty between two.',
  methodNotAllowed: 'Use one of the methods in the `Allow` header.',
  tooMany: 'Delete records that are no longer needed: the message says which limit it is.',
  concurrentChange: 'Read the record again, and repeat the request if it still makes sense.',
  preconditionFailed: 'Read the record again, apply your change to it, and send its new `ETag`.',
  tooManyRequests: 'Wait as many seconds as `Retry-After` says, then repeat the request.',
  unexpected: 'Give the operator the `X-Request-Id` of the response: the log says more.',
  databaseUnavailable: 'Wait as many seconds as `Retry-After` says, then repeat the request.',
  maintenance: 'Try again later: only the operator can end it.',
  overloaded: 'Wait as many seconds as `Retry-After` says, then repeat the request, and send fewer at a time.',
  providerUnavailable: 'Wait as many seconds as `Retry-After` says, then repeat the request with the same token.',
};

/** What a client does about the error of a field. */
export const fieldAdvice: Readonly<Record<FieldErrorName, string>> = {
  missing: 'Send the field, with a value other than `null`.',
  blank: 'Send a text with something other than white space.',
  wrongType: 'Send the JSON type that the OpenAPI document has for the field.',
  forbiddenCharacters: 'Remove control characters and others that cannot be seen.',
  tooShort: 'Send a longer text.',
  tooLong: 'Send a shorter text.',
  tooManyItems: 'Send fewer items.',
  badFormat: 'Send the format that the detail describes.',
  notOneOf: 'Send one of the values that the OpenAPI document lists.',
  outOfRange: 'Send a value within the limits that the detail names.',
  repeatedItem: 'Send every item once.',
  namesNothing: 'Send the id of a record that exists and that you may use here.',
  wrongCurrentPassword: 'Send the password that you log in with now.',
  tooCommon: 'Choose a password that is harder to guess.',
  changedElsewhere: 'Leave the field out, or send the value that the record has.',
  unknownField: 'Remove the field, or correct its name.',
};
