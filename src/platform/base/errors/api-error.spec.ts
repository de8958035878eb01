import { apiError, apiErrors, errorNames } from './api-error';
import { fieldError, fieldErrors, invalidContent } from './field-error';
import { messageOf } from './message-of';

test('The names of errors are in the order of their codes', () => {
  const codes = errorNames().map((name) => apiErrors[name].code);
  expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  expect(new Set(errorNames())).toEqual(new Set(Object.keys(apiErrors)));
});

test('Only errors of the service have a trace', () => {
  expect(apiError('unexpected').stack).toContain('\n    at ');
  expect(apiError('forbidden').stack).not.toContain('\n    at ');
  expect(new Error('other').stack).toContain('\n    at ');
});

test('An error has the message of the table, or its own', () => {
  expect(apiError('forbidden')).toMatchObject({ status: 403, code: 1200, message: apiErrors.forbidden.message });
  expect(apiError('forbidden', 'Not you.').message).toBe('Not you.');
});

test('The error of a body lists those of its fields', () => {
  const found = [fieldError('missing', 'name'), fieldError('tooLong', 'ids.2', 'is endless')];
  expect(found).toEqual([
    { code: 5001, title: 'name', detail: fieldErrors.missing.detail },
    { code: 5006, title: 'ids.2', detail: 'is endless' },
  ]);
  expect(invalidContent(...found)).toMatchObject({ errorName: 'invalidContent', fieldErrors: found });
});

test('What is thrown may be anything', () => {
  expect([messageOf(new Error('a')), messageOf('b')]).toEqual(['a', 'b']);
});
