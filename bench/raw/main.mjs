/** Fastify and the MongoDB driver, without a framework or models in between. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { MongoClient, ObjectId } from 'mongodb';
import { accountOf, ACCOUNT_FIELDS, ORGANIZATION_FIELDS } from './records.mjs';
import { clientOptions, HEADERS, logRequest, PeerError, verifyToken } from './service.mjs';
import { addRoutes } from './routes.mjs';
import { ajvOptions, toFieldErrors } from './schemas.mjs';

const client = await new MongoClient(process.env.MONGODB_URI, clientOptions).connect();
const [users, organizations, events] = ['users', 'organizations', 'events'].map((name) => client.db().collection(name));
const app = Fastify({ genReqId: () => randomUUID(), requestIdHeader: false, ajv: { customOptions: ajvOptions } });
addHooks();
app.setErrorHandler(handleError);
addRoutes(app, { client, users, organizations, events });
await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });
process.once('SIGTERM', () => void app.close().then(() => client.close()));

/** The account and the Organization that the path names are read at the same time, before the body is parsed. */
function addHooks() {
  const read = (collection, id, projection) => collection.findOne({ _id: new ObjectId(id) }, { projection });
  app.decorateRequest('account', null);
  app.decorateRequest('organization', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    const claims = verifyToken(request.headers.authorization);
    if (!claims) throw new PeerError('accountGone');
    const { id } = request.params;
    const isId = id !== undefined && /^[0-9a-f]{24}$/.test(id);
    const [user, record] = await Promise.all([
      read(users, claims.sub, ACCOUNT_FIELDS),
      isId ? read(organizations, id, ORGANIZATION_FIELDS) : null,
    ]);
    request.account = accountOf(user, claims.sid, request.id);
    if (!request.account) throw new PeerError('accountGone');
    if (id !== undefined && !record) throw new PeerError('notFound');
    request.organization = record;
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, request.account);
    done();
  });
}

function handleError(error, _request, reply) {
  const known = knownError(error);
  if (known.status === 500) process.stderr.write(`${error.stack}\n`);
  reply.header('link', `</docs/errors#${known.body.code}>; rel="help"`);
  reply.status(known.status).send(known.body);
}

function knownError(error) {
  if (error instanceof PeerError) return error;
  if (error.validationContext === 'body') return new PeerError('invalidContent', toFieldErrors(error.validation));
  if (error.validation) return new PeerError('invalidQuery');
  return new PeerError(error.statusCode === 400 ? 'unusableBody' : 'unexpected');
}
