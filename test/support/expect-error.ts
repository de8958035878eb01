import { apiErrors, ErrorName } from '../../src/errors/api-error';
import { fieldErrors, FieldErrorName } from '../../src/errors/field-error';
import type { ApiResponse } from './client';

/** Asserts that an answer is the failure of that name, with the table's message unless another is given. */
export function expectFailure(answer: ApiResponse, name: ErrorName, message: unknown = apiErrors[name].message): void {
  const { status, code } = apiErrors[name];
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { status: 'fail', message, code } });
}

/** Asserts that an answer is the validation form with exactly these faults, in this order. */
export function expectFaults(answer: ApiResponse, ...found: readonly (readonly [FieldErrorName, string])[]): void {
  const items = found.map(([name, title]) => ({ code: fieldErrors[name].code, title, detail: expect.any(String) }));
  expectFailure(answer, 'invalidContent', items);
}
