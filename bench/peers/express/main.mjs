/** Express and Mongoose. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import mongoose from 'mongoose';
import { accountOf, ACCOUNT_FIELDS } from '../shared/records.mjs';
import {
  clientOptions,
  HEADERS,
  logRequest,
  PeerError,
  settings,
  verifyToken,
  writeConcern,
} from '../shared/service.mjs';
import { User } from './models.mjs';
import { router } from './routes.mjs';

await mongoose.connect(settings.mongodbUri, { ...clientOptions, writeConcern, autoIndex: false, autoCreate: false });
const app = express();
app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
app.use(identify, authenticate, router, notFound, handleError);
const server = app.listen(settings.port, settings.host);
process.once('SIGTERM', () => {
  server.close(() => void mongoose.disconnect());
  server.closeAllConnections();
});

/** Sets the headers of every response and writes its line at the end. */
function identify(request, response, next) {
  const start = performance.now();
  const { method, originalUrl } = request;
  const id = randomUUID();
  response.set(HEADERS).set('x-request-id', id);
  response.once('finish', () => {
    const accountId = request.account?._id.toHexString();
    logRequest(method, originalUrl, response.statusCode, performance.now() - start, id, accountId);
  });
  next();
}

async function authenticate(request, _response, next) {
  const claims = verifyToken(request.headers.authorization);
  const user = claims && (await User.findById(claims.sub, ACCOUNT_FIELDS).lean());
  request.account = user ? accountOf(user, claims.sid) : undefined;
  if (!request.account) throw new PeerError('accountGone');
  next();
}

function notFound() {
  throw new PeerError('notFound');
}

function handleError(error, _request, response, _next) {
  const isBodyParser = error.type?.startsWith('entity.');
  const known = error instanceof PeerError ? error : new PeerError(isBodyParser ? 'unusableBody' : 'unexpected');
  if (known.status === 500) process.stderr.write(`${error.stack}\n`);
  response.status(known.status).json(known.body);
}
