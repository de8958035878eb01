/** The operations of the Fastify peers. */
import { ObjectId } from 'mongodb';
import {
  etagOf,
  fieldsOf,
  mayChange,
  newOrganization,
  nextLink,
  ORGANIZATION_FIELDS,
  searchFilter,
  slugBase,
  toOrganization,
  toUser,
  USER_FIELDS,
  writeAtRevision,
  writeUnderSlug,
} from '../shared/records.mjs';
import { PeerError, transactionOptions } from '../shared/service.mjs';
import { created, list, organization as shown, organizationInput, pageQuery, user } from './schemas.mjs';

export function addRoutes(app, client, { users, organizations }) {
  const listOf = (item) => ({ schema: { querystring: pageQuery, response: { 200: list(item) } } });

  app.get('/organizations/:id', { schema: { response: { 200: shown } } }, async (request, reply) => {
    const etag = etagOf(request.organization);
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return toOrganization(request.organization);
  });

  app.get('/organizations', listOf(shown), async (request, reply) => {
    const filter = request.query.q === undefined ? {} : searchFilter(request.query.q);
    return readPage(organizations, filter, ORGANIZATION_FIELDS, toOrganization, request, reply);
  });

  app.get('/users', listOf(user), async (request, reply) => {
    const visible = request.account.isAdmin ? {} : { _id: request.account._id };
    const search = request.query.q === undefined ? {} : searchFilter(request.query.q);
    return readPage(users, { ...visible, ...search }, USER_FIELDS, toUser, request, reply);
  });

  const writes = (status) => ({ schema: { body: organizationInput, response: { [status]: created } } });
  app.put('/organizations/:id', writes(200), async (request, reply) => {
    const readAgain = async () => {
      const found = await organizations.findOne({ _id: request.organization._id }, { projection: ORGANIZATION_FIELDS });
      if (!found) throw new PeerError('notFound');
      return found;
    };
    const write = (organization) => update(organizations, organization, request);
    const updated = await writeAtRevision(request.organization, write, readAgain);
    if (!updated) throw new PeerError('concurrentChange');
    reply.header('etag', etagOf(updated));
    return { status: 'success', data: toOrganization(updated) };
  });

  app.post('/organizations', writes(201), async (request, reply) => {
    const record = await create(client, { users, organizations }, request);
    reply.code(201).headers({ etag: etagOf(record), location: `/organizations/${record._id.toHexString()}` });
    return { status: 'success', data: toOrganization(record) };
  });
}

/** One record more than the limit shows whether others follow. */
async function readPage(collection, filter, projection, toResponse, { query, url }, reply) {
  const { skip, limit, after } = query;
  if (after !== undefined && skip > 0) throw new PeerError('invalidQuery');
  const where = after === undefined ? filter : { $and: [filter, { _id: { $gt: new ObjectId(after) } }] };
  const options = { projection, sort: { _id: 1 }, skip, limit: limit + 1 };
  const records = await collection.find(where, options).toArray();
  const data = records.slice(0, limit).map(toResponse);
  if (records.length > limit) reply.header('link', nextLink(url, data));
  return { status: 'success', data };
}

/** The update has the revision in its filter, so the response is what was read and what was set. */
async function update(organizations, organization, { account, headers, body }) {
  if (!mayChange(account, organization)) throw new PeerError('forbidden');
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== etagOf(organization)) throw new PeerError('preconditionFailed');
  const { _id, revision, name } = organization;
  const fields = fieldsOf(body);
  const write = async (change) => {
    const { matchedCount } = await organizations.updateOne({ _id, revision }, { ...change, $inc: { revision: 1 } });
    return matchedCount === 0 ? undefined : { ...organization, ...change.$set, revision: revision + 1 };
  };
  if (slugBase(fields.name) === slugBase(name)) return write({ $set: fields }).catch(refuseDuplicate);
  const reads = slugReads(organizations, fields, _id);
  return writeUnderSlug(slugBase(fields.name), reads, (slug) =>
    write({ $set: { ...fields, slug }, $push: { slugs: slug } }),
  );
}

/** The User and the Organization that refers to them are written in one transaction. */
async function create(client, { users, organizations }, { account, body }) {
  const fields = fieldsOf(body);
  const _id = new ObjectId();
  const base = slugBase(fields.name);
  return writeUnderSlug(base, slugReads(organizations, fields, _id), async (slug) => {
    const organization = { _id, ...newOrganization(fields, slug, account) };
    await client.withSession((session) =>
      session.withTransaction(async () => {
        const change = { $inc: { referenceCount: 1 } };
        const { matchedCount } = await users.updateOne({ _id: account._id }, change, { session });
        if (matchedCount === 0) throw new PeerError('accountGone');
        await organizations.insertOne(organization, { session });
      }, transactionOptions),
    );
    return organization;
  });
}

function slugReads(organizations, { nameKey, name }, _id) {
  const projection = { 'slug.index': 1 };
  return {
    refuseTaken: async () => {
      const taken = await organizations.findOne({ nameKey, _id: { $ne: _id } }, { projection: { _id: 1 } });
      if (taken) throw new PeerError('nameTaken');
    },
    highestIndex: async () => {
      const options = { projection, sort: { 'slug.index': -1 } };
      return (await organizations.findOne({ 'slug.base': slugBase(name) }, options))?.slug.index;
    },
  };
}

function refuseDuplicate(error) {
  throw error.code === 11000 ? new PeerError('nameTaken') : error;
}
