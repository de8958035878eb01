/** The records of the databases whose growth is measured. The first Organization is a large one. */
import { ObjectId } from 'mongodb';
import { addCopies, insertNumbered } from './data.mjs';

/** Of the first Organization: as many as the contract allows. */
const MANAGERS = 500;
export const APIS = 1000;
/** APIs with an end, all over the list, others with the same successor, and what else few records have. */
const ENDS = 100;
/** What all others have. `updatedAt` is in the past, as if the service had stopped since then. */
const COMMON = { updatedAt: new Date('2026-02-01') };
const FEW = { updatedAt: new Date('2026-03-01') };
const COMMON_API = { ...COMMON, lifecycleStatus: 'production', tags: ['common'] };
const FEW_APIS = { ...FEW, lifecycleStatus: 'testing', tags: ['common', 'few'] };
/** `q` searches the tags, too, after the other fields. */
const tagged = ({ searchText, tags }, fields) => {
  const lines = searchText.split('\n');
  return { ...fields, searchText: [...lines.slice(0, lines.length - tags.length), ...fields.tags].join('\n') };
};
/** Consumers of one API: as many as the contract allows. */
const CONSUMERS = 200;
/** Events of each Organization, of each User who caused them, and of a database at most. */
const EVENTS = 10;
const EVENTS_OF_USER = 1000;
const MAX_EVENTS = 1_000_000;
/** Time from one Event to the next (ms): all of them are kept, 400 days long. */
const EVENT_MS = 20_000;

/**
 * Adds copies of what the seed made, until there are so many of each kind, and their Events.
 *
 * @returns what the requests name: the ids of the Organizations, in their order, and of APIs of the first of them
 */
export async function addRecords(db, count) {
  const ids = await addCopiesOfAll(db, count);
  const apis = await addSuccessor(db);
  await addManagers(db);
  await addConsumers(db, ids, apis[0]);
  return { ids, apis, ...(await addEvents(db, ids)) };
}

/** Each Organization gets an API. @returns {Promise<ObjectId[]>} the ids of the Organizations, in their order */
async function addCopiesOfAll(db, count) {
  const { _id: first } = await db.collection('organizations').findOne();
  const ids = [first];
  // Each is made when it is inserted, as by a service: its first bytes are the time.
  const idOf = (number) => (ids[number - 1] = new ObjectId());
  const numbers = { first: 2, last: count };
  const isOneOfFew = (number) => number % (count / ENDS) === 0;
  const userOf = (number) => ({
    ...{ referenceCount: 0, sessions: [], roles: [] },
    ...(isOneOfFew(number) ? { ...FEW, isSuspended: true, suspendedAt: FEW.updatedAt } : COMMON),
  });
  await addCopies(db, 'users', numbers, userOf);
  const organizationOf = (number) => ({
    ...{ _id: idOf(number), externalId: `crm-${number}` },
    ...(isOneOfFew(number) ? FEW : COMMON),
  });
  await addCopies(db, 'organizations', numbers, organizationOf);
  const none = { sunsetAt: null, sunsetTime: null, successorId: null };
  const end = { ...none, sunsetAt: '2027-03-31', sunsetTime: new Date('2027-03-31') };
  const apiOf = (number, copy) => ({
    ...{ organizationId: ids[number - APIS], externalId: `gateway-${number - APIS + 1}` },
    ...(isOneOfFew(number) ? { ...end, ...tagged(copy, FEW_APIS) } : { ...none, ...tagged(copy, COMMON_API) }),
  });
  const apis = await db.collection('apis').find().toArray();
  const updates = apis.map((api) => ({
    updateOne: { filter: { _id: api._id }, update: { $set: tagged(api, COMMON_API) } },
  }));
  await db.collection('apis').bulkWrite(updates);
  await addCopies(db, 'apis', { first: APIS + 1, last: APIS + count - 1 }, apiOf);
  return ids;
}

/** Events of the past, as if each Organization had been changed again and again. */
async function addEvents(db, ids) {
  const count = ids.length * Math.max(1, Math.min(EVENTS, Math.floor(MAX_EVENTS / ids.length)));
  const began = Date.now() - count * EVENT_MS;
  const actors = Array.from({ length: count / EVENTS_OF_USER }, () => new ObjectId());
  const eventOf = (number) => {
    const createdAt = new Date(began + number * EVENT_MS);
    const resourceId = ids[number % ids.length];
    const resource = { type: 'organization.updated', resourceId, organizationId: resourceId, resourceName: 'Demo' };
    const actor = { actorId: actors[number % actors.length], actorUsername: 'demo', apiKeyId: null };
    const _id = ObjectId.createFromTime(createdAt.getTime() / 1000);
    const shown = { userId: null, ...actor, changes: [{ field: 'description' }], createdAt };
    return { _id, ...resource, readerIds: [resourceId], ...shown };
  };
  await insertNumbered(db.collection('events'), { first: 0, last: count - 1 }, eventOf);
  return { actors, middle: began + (count * EVENT_MS) / 2 };
}

/** @returns {Promise<ObjectId[]>} an API of the first Organization, and some whose place it takes */
async function addSuccessor(db) {
  const apis = await db
    .collection('apis')
    .find({}, { sort: { _id: 1 }, limit: ENDS })
    .toArray();
  const [successorId, ...others] = apis.map(({ _id }) => _id);
  await db.collection('apis').updateMany({ _id: { $in: others } }, { $set: { successorId } });
  return [successorId, ...others];
}

/** Each Organization uses one API, the first one all of its own, and one API has many Consumers. */
async function addConsumers(db, ids, popular) {
  const apis = await db
    .collection('apis')
    .find({}, { projection: { organizationId: 1 }, sort: { _id: 1 } })
    .toArray();
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const consumerOf = ({ _id: apiId, organizationId }, consumerId) => ({
    ...{ _id: new ObjectId(), searchText: '', referenceCount: 0, revision: 0, ...times },
    ...{ apiId, organizationId, consumerId, note: '', createdBy: consumerId },
  });
  const own = (number) => consumerOf(apis[number], ids[0]);
  await insertNumbered(db.collection('consumers'), { first: 0, last: APIS - 1 }, own);
  const api = apis.find(({ _id }) => _id.equals(popular));
  const users = (number) => consumerOf(number < CONSUMERS ? api : apis[apis.length - number], ids[number]);
  await insertNumbered(db.collection('consumers'), { first: 1, last: ids.length - 1 }, users);
}

async function addManagers(db) {
  const users = await db.collection('users').find({}, { limit: MANAGERS }).toArray();
  const managers = users.map(({ _id }) => ({ _id, createdBy: _id, createdAt: new Date() }));
  await db.collection('organizations').updateOne({}, { $set: { managers } }, { sort: { _id: 1 } });
}
