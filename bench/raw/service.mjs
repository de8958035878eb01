/** Settings, tokens, headers, log lines and errors: the same as Roster's. */
import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import pino from 'pino';

const writeConcern = { w: 'majority', journal: true };
export const transactionOptions = { readConcern: { level: 'snapshot' }, writeConcern };
const timeouts = { serverSelectionTimeoutMS: 2000, socketTimeoutMS: 3000, connectTimeoutMS: 2000 };
export const clientOptions = { writeConcern, maxPoolSize: 50, waitQueueTimeoutMS: 3000, ...timeouts };

/** A KeyObject: with a string, jsonwebtoken makes one for every token. */
const tokenKey = createSecretKey(process.env.JWT_SECRET, 'utf8');
const tokenOptions = { algorithms: ['HS256'], issuer: 'roster', audience: 'roster' };

/** Verifies an access token on every request; nothing is remembered. Undefined for one that is missing or not valid. */
export function verifyToken(authorization) {
  if (!authorization?.startsWith('Bearer ')) return undefined;
  try {
    return jwt.verify(authorization.slice(7), tokenKey, tokenOptions);
  } catch {
    return undefined;
  }
}

/** The headers of all responses. */
export const HEADERS = {
  'cache-control': 'private, no-cache, no-transform',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const log = pino({ timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 1, sync: true }));

/** Writes the line of a request. */
export function logRequest({ method, url, id: requestId }, { statusCode: status, elapsedTime }, account) {
  const [path] = url.split('?', 1);
  const ms = Math.round(elapsedTime * 10) / 10;
  log.info({ method, path, status, ms, requestId, accountId: account?._id.toHexString() });
}

/** Statuses, codes and messages. */
const ERRORS = {
  unusableBody: [400, 1001, 'The body must be a JSON object.'],
  invalidContent: [400, 1024, 'Some fields of the body are not valid.'],
  invalidQuery: [400, 1003, 'A query parameter is not valid.'],
  accountGone: [401, 1101, 'The access token is missing or not valid.'],
  forbidden: [403, 1200, 'You may not do this.'],
  notFound: [404, 1300, 'There is no such record.'],
  nameTaken: [409, 1501, 'Another Organization has this name.'],
  concurrentChange: [409, 1510, 'Another request changed the record.'],
  preconditionFailed: [412, 1600, 'The record has changed.'],
  unexpected: [500, 1900, 'Something went wrong.'],
};

/** An error with a status and a body for the client. */
export class PeerError extends Error {
  constructor(name, fieldErrors) {
    const [status, code, message] = ERRORS[name];
    super(message);
    this.status = status;
    this.body = { status: 'fail', code, message: fieldErrors ?? message };
  }
}
