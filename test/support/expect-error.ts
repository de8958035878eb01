import { apiErrors, ErrorName } from '../../src/platform/base/errors/api-error';
import { fieldErrors, FieldErrorName } from '../../src/platform/base/errors/field-error';
import type { ApiResponse } from './client';

/** Messages that are never the table's, since they depend on the request. */
const OWN_MESSAGE: Partial<Record<ErrorName, unknown>> = {
  forbidden: expect.stringMatching(/^Only .* may /),
  methodNotAllowed: expect.stringMatching(/^This path supports only [A-Z, ]+OPTIONS\.( Use PUT\.)?$/),
  bodyTooLarge: expect.stringMatching(/^The (body|file) is larger than [\d,]+ bytes\.$/),
};

/**
 * Asserts that a response is this error, with the table's message unless another is given.
 * @param see where to look when it is not
 */
export function expectError(response: ApiResponse, name: ErrorName, message?: unknown, see?: string): void {
  const { status, code, message: usual } = apiErrors[name];
  message ??= OWN_MESSAGE[name] ?? usual;
  const expected = { status, body: { status: 'fail', message, code }, see };
  expect({ status: response.status, body: response.body, see }).toEqual(expected);
}

/** Asserts that a response is the validation form with exactly these field errors, in this order. */
export function expectFieldErrors(
  response: ApiResponse,
  ...found: readonly (readonly [FieldErrorName, string])[]
): void {
  const items = found.map(([name, title]) => ({ code: fieldErrors[name].code, title, detail: expect.any(String) }));
  expectError(response, 'invalidContent', items);
}

/** Outcome of a request: a status, an error, or a field error of one field. */
export type Expected = number | ErrorName | readonly [FieldErrorName, string];

/** Asserts what a request led to; of an error with a message of its own only that it has one. */
export function expectOutcome(response: ApiResponse, expected: Expected): void {
  if (typeof expected === 'number')
    expect({ status: response.status, text: response.text }).toEqual({ status: expected, text: response.text });
  else if (typeof expected === 'string') expectError(response, expected, expect.any(String));
  else expectFieldErrors(response, expected);
}
