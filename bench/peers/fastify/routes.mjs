/** The operations of the Fastify peer. */
import { hash } from 'node:crypto';
import { ObjectId } from 'mongodb';
import {
  etagOf,
  ORGANIZATION_FIELDS,
  pageFilter,
  pageOf,
  toOrganization,
  toUser,
  USER_FIELDS,
} from '../shared/records.mjs';
import { PeerError, transactionOptions } from '../shared/service.mjs';
import { createOrganization, updateOrganization } from '../shared/writes.mjs';
import { created, list, organization as shown, organizationInput, pageQuery, user } from './schemas.mjs';

export function addRoutes(app, client, { users, organizations, events }) {
  const store = storeOf(client, { users, organizations, events });
  const listOf = (item) => ({ schema: { querystring: pageQuery, response: { 200: list(item) } }, onSend: addEtag });
  const writes = (status) => ({ schema: { body: organizationInput, response: { [status]: created } } });

  app.get('/organizations/:id', { schema: { response: { 200: shown } } }, async (request, reply) => {
    const etag = etagOf(request.organization);
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return toOrganization(request.organization);
  });

  app.get('/organizations', listOf(shown), (request, reply) =>
    readPage(organizations, {}, ORGANIZATION_FIELDS, toOrganization, request, reply),
  );

  app.get('/users', listOf(user), (request, reply) => {
    const visible = request.account.isAdmin ? {} : { _id: request.account._id };
    return readPage(users, visible, USER_FIELDS, toUser, request, reply);
  });

  app.put('/organizations/:id', writes(200), async ({ account, organization, body, headers }, reply) => {
    const updated = await updateOrganization(store, account, organization, body, headers['if-match']);
    reply.header('etag', etagOf(updated));
    return { status: 'success', data: toOrganization(updated) };
  });

  app.post('/organizations', writes(201), async ({ account, body }, reply) => {
    const record = await createOrganization(store, account, body);
    reply.code(201).headers({ etag: etagOf(record), location: `/organizations/${record._id.toHexString()}` });
    return { status: 'success', data: toOrganization(record) };
  });
}

/** The ETag of a page: a hash of what is sent, and of `Link`. */
function addEtag(request, reply, payload, done) {
  if (reply.statusCode !== 200) return done(null, payload);
  const etag = `"${hash('sha256', `${reply.getHeader('link')}\n${payload}`, 'base64url')}"`;
  reply.header('etag', etag);
  if (request.headers['if-none-match'] !== etag) return done(null, payload);
  reply.code(304);
  done(null, null);
}

/** One record more than the limit shows whether others follow. */
async function readPage(collection, visible, projection, toResponse, { query, url }, reply) {
  const { skip, limit, after, q } = query;
  if (after !== undefined && skip > 0) throw new PeerError('invalidQuery');
  const where = pageFilter(visible, q, after && new ObjectId(after));
  const options = { projection, sort: { _id: 1 }, skip, limit: limit + 1 };
  return pageOf(await collection.find(where, options).toArray(), limit, toResponse, url, reply);
}

/** @returns {import('../shared/writes.mjs').Store} */
function storeOf(client, { users, organizations, events }) {
  const inTransaction = (work) =>
    client.withSession((session) => session.withTransaction(() => work({ session }), transactionOptions));
  return {
    newId: () => new ObjectId(),
    read: async (_id) => {
      const found = await organizations.findOne({ _id }, { projection: ORGANIZATION_FIELDS });
      if (!found) throw new PeerError('notFound');
      return found;
    },
    // The revision is in the filter, so the new state is what was read and what was set.
    write: (organization, change, event) =>
      inTransaction(async (session) => {
        const { _id, revision } = organization;
        const raised = { ...change, $inc: { revision: 1 } };
        const { matchedCount } = await organizations.updateOne({ _id, revision }, raised, session);
        if (matchedCount === 0) return undefined;
        await events.insertOne(event, session);
        return { ...organization, ...change.$set, revision: revision + 1 };
      }),
    insert: (organization, { _id }, made) =>
      inTransaction(async (session) => {
        const { matchedCount } = await users.updateOne({ _id }, { $inc: { referenceCount: 1 } }, session);
        if (matchedCount === 0) throw new PeerError('accountGone');
        await organizations.insertOne(organization, session);
        await events.insertMany(made, session);
      }),
    isTaken: (nameKey, _id) => organizations.findOne({ nameKey, _id: { $ne: _id } }, { projection: { _id: 1 } }),
    highestIndex: async (base) => {
      const options = { projection: { 'slug.index': 1 }, sort: { 'slug.index': -1 } };
      return (await organizations.findOne({ 'slug.base': base }, options))?.slug.index;
    },
  };
}
