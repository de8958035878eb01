import { HttpException } from '@nestjs/common';
import { mongo, MongooseError } from 'mongoose';
import { type ErrorName, apiErrors } from '../../base/errors/api-error';
import { toApiError } from './to-api-error';

const named = (name: string): Error => Object.assign(new Error('x'), { name });
const serverError = (code: number, message = 'x'): Error => new mongo.MongoServerError({ message, code });
const statuses = (...all: number[]): Error[] => all.map((status) => new HttpException('x', status));
const codes = (...all: number[]): Error[] => all.map((code) => serverError(code));

it.each<[ErrorName, unknown[]]>([
  ['unusableRequest', statuses(400, 418, 499)],
  ['noCredentials', statuses(401)],
  ['requestTimeout', statuses(408)],
  ['bodyTooLarge', statuses(413)],
  ['unsupportedMediaType', statuses(415)],
  ['overloaded', statuses(503)],
  ['concurrentChange', [...statuses(409), ...codes(112, 16777220)]],
  ['unexpected', statuses(399, 500, 501, 599)],
  ['unexpected', [Object.assign(new Error('x'), { statusCode: 404 }), serverError(11000), new MongooseError('x')]],
  ['unexpected', [new Error('before initial connection'), named('MongoX'), { name: 'MongoPoolClosedError' }]],
  ['databaseUnavailable', [new mongo.MongoNetworkError('x'), named('MongoPoolClosedError')]],
  ['databaseUnavailable', [new MongooseError('Cannot call `users.find()` before initial connection is complete')]],
  ['databaseUnavailable', codes(6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435)],
  // What an operator can repair, and a database that cannot store.
  ['databaseUnavailable', codes(13, 18, 43, 100, 202, 237, 313, 11601, 13388, 13436, 365, 371, 8000, 14031)],
  ['databaseUnavailable', [serverError(1, 'WT_PANIC: WiredTiger library panic')]],
  ['databaseUnavailable', [serverError(1, 'No space left on device'), serverError(1, 'Read-only file system')]],
])('the client gets %s, which reveals nothing, for %j', (name, causes) => {
  for (const cause of causes)
    expect(toApiError(cause)).toMatchObject({ errorName: name, message: apiErrors[name].message });
});
