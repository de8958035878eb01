/** The operations. */
import { hash } from 'node:crypto';
import { etagOf, ORGANIZATION_FIELDS, pageFilter, pageOf, toOrganization, toUser, USER_FIELDS } from './records.mjs';
import { Writes } from './writes.mjs';
import { created, list, organization as shown, organizationInput, pageQuery, user } from './schemas.mjs';

/** @param db the client and its collections */
export function addRoutes(app, db) {
  const { users, organizations } = db;
  const writes = new Writes(db);
  const listOf = (item) => ({ schema: { querystring: pageQuery, response: { 200: list(item) } }, onSend: addEtag });
  const writing = (status) => ({ schema: { body: organizationInput, response: { [status]: created } } });

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

  app.put('/organizations/:id', writing(200), async ({ account, organization, body, headers }, reply) => {
    const updated = await writes.update(account, organization, body, headers['if-match']);
    reply.header('etag', etagOf(updated));
    return { status: 'success', data: toOrganization(updated) };
  });

  app.post('/organizations', writing(201), async ({ account, body }, reply) => {
    const record = await writes.create(account, body);
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
  const { skip, limit, q } = query;
  const options = { projection, sort: { _id: 1 }, skip, limit: limit + 1 };
  return pageOf(await collection.find(pageFilter(visible, q), options).toArray(), limit, toResponse, url, reply);
}
