import { failures, FailureName } from '../../src/http/failures';
import { faults, FaultName } from '../../src/http/faults';
import type { Answer } from './client';

/** Asserts that an answer is the failure of that name, with the table's message unless another is given. */
export function expectFailure(answer: Answer, name: FailureName, message: unknown = failures[name].message): void {
  const { status, code } = failures[name];
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { status: 'fail', message, code } });
}

/** Asserts that an answer is the validation form with exactly these faults, in this order. */
export function expectFaults(answer: Answer, ...found: readonly (readonly [FaultName, string])[]): void {
  const items = found.map(([name, title]) => ({ code: faults[name].code, title, detail: expect.any(String) }));
  expectFailure(answer, 'invalidContent', items);
}
