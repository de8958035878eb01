/** Checks that all services do the same work, before anything is measured. */
import { isDeepStrictEqual } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES, INSERTED } from './cases.mjs';
import { withDb } from './data.mjs';
import { send } from './services.mjs';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ETAG = /^"[^"]+"$/;
const UNKNOWN_ID = 'f'.repeat(24);
/** The headers whose presence every service must agree on. */
const HEADERS = ['etag', 'location', 'link', 'content-security-policy', 'x-content-type-options', 'cache-control'];
/** The fields that differ in each response to a write. */
const OWN = ['_id', 'createdAt', 'updatedAt', 'name', 'description', 'slug', 'friendlySlugs', 'createdBy'];

/** Tells the names of Organizations apart that checks insert. */
let number = 0;
const unique = () => `check ${process.pid} ${++number}`;

/** @throws {SetupError} which names the service and the check */
export async function checkServices(services, data, uri) {
  const observeReads = (service) => observeCases(service, data, (method) => method === 'GET');
  // Writes change what the reads return, so these come first.
  for (const observe of [observeReads, observeWrites]) {
    const expected = await observe(services[0], data, uri);
    for (const peer of services.slice(1)) compare(peer, expected, await observe(peer, data, uri));
  }
}

function compare({ title }, expected, observed) {
  for (const [name, value] of Object.entries(expected)) {
    if (isDeepStrictEqual(shared(value, observed[name]), shared(observed[name], value))) continue;
    const [own, its] = [value, observed[name]].map((one) => JSON.stringify(one, undefined, 2));
    throw new SetupError(`${title} differs from Roster: ${name}\nRoster: ${own}\nIt: ${its}`);
  }
}

/** What both have of an object: a peer need not have the fields that Roster gained. @param other what it is compared with */
function shared(one, other) {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one;
  if (Array.isArray(one)) return one.map((item, index) => shared(item, other[index]));
  const names = Object.keys(one).filter((name) => name in other);
  return Object.fromEntries(names.map((name) => [name, shared(one[name], other[name])]));
}

/** What a service does, by the name of a check. All services must do the same. */
async function observeWrites(service, data, uri) {
  const [token] = data.tokens;
  const began = new Date();
  const call = (method, path, { body, headers, token: other } = {}) =>
    send(service.port, { method, path, headers, token: other ?? token, body: body && JSON.stringify(body) });
  return {
    ...(await observeCases(service, data, (method) => method !== 'GET')),
    ...(await observeAccess(call, data)),
    ...(await observeConditions(call, data)),
    'the Events that are stored': await eventsSince(began, uri),
  };
}

/** Their types, actors and fields; ids, times and names differ. */
async function eventsSince(createdAt, uri) {
  const [where, options] = [{ createdAt: { $gte: createdAt } }, { sort: { createdAt: 1, _id: 1 } }];
  const fieldsOf = (event) => Object.keys(event).filter((name) => event[name] !== null);
  const events = await withDb(uri, (db) => db.collection('events').find(where, options).toArray());
  return events.map((event) => [event.type, event.actorUsername, fieldsOf(event).sort()]);
}

async function observeCases(service, data, isWanted) {
  const observed = {};
  for (const one of CASES) {
    const { method, path, body } = one.requests(data)[0];
    if (!isWanted(method)) continue;
    const sent = { method, path, token: data.tokens[0], body: body?.replaceAll('{n}', unique()) };
    const response = await send(service.port, sent);
    if (response.status !== one.status)
      throw new SetupError(`${service.title}, ${one.name}: ${response.status} ${response.text}`);
    observed[one.name] = comparable(response, method);
  }
  return observed;
}

async function observeAccess(call, { organizations: [{ _id }], tokens: [token], endedToken }) {
  const path = `/organizations/${_id}`;
  const [header, payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url');
  const empty = await call('POST', '/organizations', { headers: { 'Content-Type': 'application/json' } });
  return {
    'no token': (await call('GET', path, { token: '' })).status,
    'a session that has ended': (await call('GET', path, { token: endedToken })).status,
    'a forged token': (await call('GET', path, { token: [header, forged, signature].join('.') })).status,
    'an unknown id': (await call('GET', `/organizations/${UNKNOWN_ID}`)).status,
    'an empty body': empty.status,
  };
}

async function observeConditions(call, { organizations: [{ _id, name }, other] }) {
  const path = `/organizations/${_id}`;
  const url = 'https://bench.example';
  const { etag } = (await call('GET', path)).headers;
  const put = (body, headers) => call('PUT', path, { body: { name, url, ...body }, headers });
  const changed = await put({ description: unique() }, { 'If-Match': etag });
  const stale = await put({ description: unique() }, { 'If-Match': etag });
  const current = await call('GET', path);
  const renamed = { name: `${INSERTED} twice ${unique()}`, url };
  const statuses = [];
  for (const body of [renamed, renamed]) statuses.push((await call('POST', '/organizations', { body })).status);
  const sameSlug = await call('POST', '/organizations', { body: { ...renamed, name: `${renamed.name}!` } });
  return {
    'If-Match': [changed.status, stale.status],
    'the ETag after a PUT': [changed.headers.etag === current.headers.etag, changed.headers.etag === etag],
    'If-None-Match': (await call('GET', path, { headers: { 'If-None-Match': current.headers.etag } })).status,
    'a PUT is stored': current.text.includes(JSON.parse(changed.text).data.description),
    'a PUT with a name that is taken': (await put({ name: other.name.toUpperCase() })).status,
    'a POST with a name that is taken': statuses,
    'the index of a slug that is taken': JSON.parse(sameSlug.text).data?.friendlySlugs.slug.index,
  };
}

/** A response without what may differ; of the fields of a write that do, their types. */
function comparable({ status, headers, text }, method) {
  const body = JSON.parse(text);
  const present = HEADERS.filter((name) => name in headers);
  const known = { status, present, isJson: /^application\/json/.test(headers['content-type'] ?? '') };
  const ids = [UUID.test(String(headers['x-request-id'])), ETAG.test(headers.etag ?? '""') || !headers.etag];
  if (status >= 400) return { ...known, ids, code: body.code, titles: body.message.map(({ title }) => title).sort() };
  if (method !== 'GET') for (const name of OWN) body.data[name] = typeof body.data[name];
  return { ...known, ids, link: headers.link, body };
}
