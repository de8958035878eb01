/** The routes, hooks and schemas of the Fastify peers, which differ only in how they read records by id. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { accountOf } from '../shared/records.mjs';
import { ajvOptions, toFieldErrors } from '../shared/schemas.mjs';
import {
  clientOptions,
  HEADERS,
  logRequest,
  PeerError,
  settings,
  verifyToken,
  writeConcern,
} from '../shared/service.mjs';
import { addRoutes } from './routes.mjs';

/**
 * Connects and listens.
 *
 * @param {(collections: {users: import('mongodb').Collection, organizations: import('mongodb').Collection}) =>
 *   Record<'user' | 'organization', (id: string) => Promise<any>>} createReads reads by id
 */
export async function startApp(createReads) {
  const client = await new MongoClient(settings.mongodbUri, { ...clientOptions, writeConcern }).connect();
  const collections = {
    users: client.db().collection('users'),
    organizations: client.db().collection('organizations'),
  };
  const app = Fastify({
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    ajv: { customOptions: ajvOptions },
  });
  addHooks(app, createReads(collections));
  app.setErrorHandler(handleError);
  addRoutes(app, client, collections);
  await app.listen(settings);
  process.once('SIGTERM', () => void app.close().then(() => client.close()));
}

/**
 * The account and the Organization that the path names are read at the same time, before the body is parsed.
 *
 * @param {import('fastify').FastifyInstance} app
 * @param {ReturnType<Parameters<typeof startApp>[0]>} reads
 */
function addHooks(app, reads) {
  app.decorateRequest('account', null);
  app.decorateRequest('organization', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    const claims = verifyToken(request.headers.authorization);
    if (!claims) throw new PeerError('accountGone');
    const { id } = /** @type {{id?: string}} */ (request.params);
    const organization = id !== undefined && /^[0-9a-f]{24}$/.test(id) ? reads.organization(id) : null;
    const [user, record] = await Promise.all([reads.user(claims.sub), organization]);
    request.account = accountOf(user, claims.sid);
    if (!request.account) throw new PeerError('accountGone');
    if (id !== undefined && !record) throw new PeerError('notFound');
    request.organization = record;
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { account, id, method, url } = request;
    logRequest(method, url, reply.statusCode, reply.elapsedTime, id, account?._id.toHexString());
    done();
  });
}

function handleError(error, _request, reply) {
  const known = knownError(error);
  if (known.status === 500) process.stderr.write(`${error.stack}\n`);
  reply.status(known.status).send(known.body);
}

function knownError(error) {
  if (error instanceof PeerError) return error;
  if (error.validationContext === 'body') return new PeerError('invalidContent', toFieldErrors(error.validation));
  if (error.validation) return new PeerError('invalidQuery');
  return new PeerError(error.statusCode === 400 ? 'unusableBody' : 'unexpected');
}
