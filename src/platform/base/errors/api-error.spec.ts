import { apiError, apiErrors, errorNames } from './api-error';

test('The names of errors are in the order of their codes', () => {
  const codes = errorNames().map((name) => apiErrors[name].code);
  expect(codes).toEqual(codes.toSorted((one, other) => one - other));
});

test('Only errors of the service have a trace', () => {
  expect(apiError('unexpected').stack).toContain('\n    at ');
  expect(apiError('forbidden').stack).not.toContain('\n    at ');
  expect(new Error('other').stack).toContain('\n    at ');
});
