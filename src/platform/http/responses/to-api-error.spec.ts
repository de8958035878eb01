import { HttpException } from '@nestjs/common';
import { mongo, MongooseError } from 'mongoose';
import { toApiError } from './to-api-error';
import { apiError, ErrorName, apiErrors } from '../../base/errors/api-error';

const named = (name: string): Error => Object.assign(new Error('x'), { name });
const serverError = (code: number): Error => new mongo.MongoServerError({ message: 'x', code });

describe('the error for the client', () => {
  it.each<[ErrorName, ...number[]]>([
    ['unusableRequest', 400, 418, 499],
    ['noCredentials', 401],
    ['forbidden', 403],
    ['pathNotFound', 404],
    ['methodNotAllowed', 405],
    ['requestTimeout', 408],
    ['concurrentChange', 409],
    ['preconditionFailed', 412],
    ['bodyTooLarge', 413],
    ['uriTooLong', 414],
    ['unsupportedMediaType', 415],
    ['expectationFailed', 417],
    ['tooManyRequests', 429],
    ['headersTooLarge', 431],
    ['unexpected', 500, 501, 599],
    ['overloaded', 503],
  ])('is %s for the status of Nest: %d', (name, ...statuses) => {
    for (const status of statuses) expect(toApiError(new HttpException('x', status)).errorName).toBe(name);
  });

  it('is an error of ours itself, with its message', () => {
    const error = apiError('forbidden', 'Only an Admin may do this.');
    expect(toApiError(error)).toBe(error);
  });

  it('is a conflict for a write conflict outside a transaction', () => {
    expect(toApiError(serverError(112)).errorName).toBe('concurrentChange');
  });

  it.each([
    ['a status below 400', new HttpException('x', 399)],
    ['a status that is not Nest’s', Object.assign(new Error('x'), { statusCode: 404 })],
    ['another error of the server', serverError(11000)],
    ['another error of mongoose', new MongooseError('x')],
    ['an error of ours about the database', new Error('before initial connection')],
    ['another name', named('MongoX')],
    ['what is no Error', { name: 'MongoPoolClosedError' }],
  ])('is unexpected for %s, and reveals nothing', (_, cause) => {
    const error = toApiError(cause);
    expect([error.errorName, error.message]).toEqual(['unexpected', apiErrors.unexpected.message]);
  });
});

const codes = [6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436];
const repairable = [13, 18, 43, 100, 202, 237, 313, 11601, 13388];
const cannotStore = [365, 371, 8000, 14031];
const storage = ['WT_PANIC: WiredTiger library panic', 'No space left on device', 'Read-only file system'];
test.each([
  ['a network error', new mongo.MongoNetworkError('x')],
  ['no connection yet', new MongooseError('Cannot call `users.find()` before initial connection is complete')],
  ['a closed pool', named('MongoPoolClosedError')],
  ...[...codes, ...repairable, ...cannotStore].map((code): [string, Error] => [`code ${code}`, serverError(code)]),
  ...storage.map((message): [string, Error] => [message, new mongo.MongoServerError({ message, code: 1 })]),
])('a database that is not available is recognized by %s', (_, error) => {
  expect(toApiError(error).errorName).toBe('databaseUnavailable');
});
