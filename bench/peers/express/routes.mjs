/** The operations of the Express peer. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { json, Router } from 'express';
import mongoose from 'mongoose';
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
import { ajvOptions, organizationInput, pageQuery, toFieldErrors } from '../shared/schemas.mjs';
import { PeerError, transactionOptions } from '../shared/service.mjs';
import { Organization, User } from './models.mjs';

const ajv = addFormats.default(new Ajv(ajvOptions));
const isInput = ajv.compile(organizationInput);
const isPageQuery = ajv.compile(pageQuery);

export const router = Router();
const parseBody = json({ limit: '64kb' });

router.get('/organizations/:id', loadOrganization, (request, response) => {
  const etag = etagOf(request.organization);
  response.set('etag', etag);
  if (request.headers['if-none-match'] === etag) return response.status(304).end();
  response.json(toOrganization(request.organization));
});

router.get('/organizations', async (request, response) => {
  const { q, ...page } = readQuery(request);
  const filter = q === undefined ? {} : searchFilter(q);
  response.json(await readPage(Organization, filter, ORGANIZATION_FIELDS, toOrganization, page, request, response));
});

router.get('/users', async (request, response) => {
  const { q, ...page } = readQuery(request);
  const visible = request.account.isAdmin ? {} : { _id: request.account._id };
  const filter = { ...visible, ...(q === undefined ? {} : searchFilter(q)) };
  response.json(await readPage(User, filter, USER_FIELDS, toUser, page, request, response));
});

router.put('/organizations/:id', loadOrganization, parseBody, validateBody, async (request, response) => {
  const { organization, params } = request;
  const write = (record) => update(record, request);
  const updated = await writeAtRevision(organization, write, () => findOrganization(params.id));
  if (!updated) throw new PeerError('concurrentChange');
  response.set('etag', etagOf(updated)).json({ status: 'success', data: toOrganization(updated) });
});

router.post('/organizations', parseBody, validateBody, async (request, response) => {
  const record = await create(request);
  const headers = { etag: etagOf(record), location: `/organizations/${record._id.toHexString()}` };
  response
    .status(201)
    .set(headers)
    .json({ status: 'success', data: toOrganization(record) });
});

async function loadOrganization(request, _response, next) {
  request.organization = await findOrganization(request.params.id);
  next();
}

async function findOrganization(id) {
  const isId = /^[0-9a-f]{24}$/.test(id);
  const organization = isId ? await Organization.findById(id, ORGANIZATION_FIELDS).lean() : null;
  if (!organization) throw new PeerError('notFound');
  return organization;
}

function validateBody({ body = {} }, _response, next) {
  if (!isInput(body)) throw new PeerError('invalidContent', toFieldErrors(isInput.errors ?? []));
  next();
}

/** Express makes the query anew on every access, without a prototype. */
function readQuery({ query }) {
  const values = { ...query };
  if (!isPageQuery(values)) throw new PeerError('invalidQuery');
  return values;
}

async function readPage(model, filter, projection, toResponse, { skip, limit, after }, { originalUrl }, response) {
  if (after !== undefined && skip > 0) throw new PeerError('invalidQuery');
  const where = after === undefined ? filter : { $and: [filter, { _id: { $gt: after } }] };
  const query = model.find(where, projection).sort({ _id: 1 }).skip(skip);
  const records = await query.limit(limit + 1).lean();
  const data = records.slice(0, limit).map(toResponse);
  if (records.length > limit) response.set('link', nextLink(originalUrl, data));
  return { status: 'success', data };
}

async function update(organization, { account, headers, body }) {
  if (!mayChange(account, organization)) throw new PeerError('forbidden');
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== etagOf(organization)) throw new PeerError('preconditionFailed');
  const { _id, revision, name } = organization;
  const fields = fieldsOf(body);
  const write = async (change) => {
    const raised = { ...change, $inc: { revision: 1 } };
    const { matchedCount } = await Organization.updateOne({ _id, revision }, raised, { timestamps: false });
    return matchedCount === 0 ? undefined : { ...organization, ...change.$set, revision: revision + 1 };
  };
  if (slugBase(fields.name) === slugBase(name)) return write({ $set: fields }).catch(refuseDuplicate);
  return writeUnderSlug(slugBase(fields.name), slugReads(fields, _id), (slug) =>
    write({ $set: { ...fields, slug }, $push: { slugs: slug } }),
  );
}

async function create({ account, body }) {
  const fields = fieldsOf(body);
  const _id = new mongoose.Types.ObjectId();
  return writeUnderSlug(slugBase(fields.name), slugReads(fields, _id), async (slug) => {
    const organization = { _id, ...newOrganization(fields, slug, account) };
    await mongoose.connection.transaction(async (session) => {
      const change = { $inc: { referenceCount: 1 } };
      const { matchedCount } = await User.updateOne({ _id: account._id }, change, { session });
      if (matchedCount === 0) throw new PeerError('accountGone');
      await Organization.create([organization], { session });
    }, transactionOptions);
    return organization;
  });
}

function slugReads({ nameKey, name }, _id) {
  return {
    refuseTaken: async () => {
      if (await Organization.exists({ nameKey, _id: { $ne: _id } })) throw new PeerError('nameTaken');
    },
    highestIndex: async () => {
      const highest = Organization.findOne({ 'slug.base': slugBase(name) }, { 'slug.index': 1 });
      return (await highest.sort({ 'slug.index': -1 }).lean())?.slug.index;
    },
  };
}

function refuseDuplicate(error) {
  throw error.code === 11000 ? new PeerError('nameTaken') : error;
}
