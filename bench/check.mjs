/** Checks that Roster and its peer do the same work, before anything is measured. */
import { isDeepStrictEqual } from 'node:util';
import { SetupError } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';
import { withDb } from './data.mjs';
import { expected } from './services.mjs';

/** The headers whose presence both must agree on. */
const HEADERS = ['etag', 'location', 'link', 'content-security-policy', 'x-content-type-options', 'cache-control'];
/** The fields that differ in each response to a write. */
const OWN = ['_id', 'createdAt', 'updatedAt', 'name', 'description', 'slug', 'friendlySlugs', 'createdBy'];

/** @throws {SetupError} which names the service and the case */
export async function checkServices([roster, peer, ...others]) {
  for (const other of others) await observe(other, CASES);
  const isRead = ({ requests }) => requests(roster.data)[0].method === 'GET';
  // Writes change what the reads return, so these come first.
  for (const cases of [CASES.filter(isRead), CASES.filter((one) => !isRead(one))])
    compare(peer.title, await observe(roster, cases), await observe(peer, cases));
}

function compare(title, expected, observed) {
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

/** Sends the first request of each case. @returns the responses by case, and the Events that were stored */
async function observe(service, cases) {
  const began = new Date();
  const observed = {};
  for (const one of cases) {
    const { body, ...sent } = one.requests(service.data)[0];
    const own = body?.replaceAll('{n}', `${one.name} ${service.name} ${process.pid}`);
    const token = service.data.tokens[0];
    observed[one.name] = comparable(
      await expected(one.status, service.port, { ...sent, token, body: own }),
      sent.method,
    );
  }
  return { ...observed, 'the Events that are stored': await eventsSince(began, service.uri) };
}

/** Their types, actors and fields; ids, times and names differ. */
async function eventsSince(createdAt, uri) {
  const [where, options] = [{ createdAt: { $gte: createdAt } }, { sort: { createdAt: 1, _id: 1 } }];
  const fieldsOf = (event) => Object.keys(event).filter((name) => event[name] !== null);
  const events = await withDb(uri, (db) => db.collection('events').find(where, options).toArray());
  return events.map((event) => [event.type, event.actorUsername, fieldsOf(event).sort()]);
}

/** A response without what may differ; of the fields of a write that do, their types. */
function comparable({ status, headers, text }, method) {
  const body = JSON.parse(text);
  const present = HEADERS.filter((name) => name in headers);
  if (status >= 400) return { status, present, code: body.code, titles: body.message.map(({ title }) => title).sort() };
  if (method !== 'GET') for (const name of OWN) body.data[name] = typeof body.data[name];
  return { status, present, link: headers.link, body };
}
