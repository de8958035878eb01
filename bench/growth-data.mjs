/** Fills a database with many records, as the service would have stored them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import { DIST } from '../scripts/lib/paths.mjs';
import { PASSWORD } from './data.mjs';
import { send } from './client.mjs';

const require = createRequire(import.meta.url);
const { newRecord } = require(join(DIST, 'database', 'derived-fields.js'));
const { OrganizationSchema, MAX_MANAGERS, MAX_APIS } = require(join(DIST, 'organizations', 'organization.schema.js'));
const { ApiSchema } = require(join(DIST, 'apis', 'api.schema.js'));
const { UserSchema } = require(join(DIST, 'users', 'user.schema.js'));

/** How many records are inserted at once. */
const BATCH = 1000;
/** How many records the searched word is in, and the word. */
export const FOUND = 20;
export const WORD = 'zebrafish';
/** How many Organizations tell what the parts of the search text cost. */
const SAMPLE = 1000;

/**
 * @typedef {object} Filled
 * @property {string} token of an Admin
 * @property {string[]} ids of the Organizations, in the order of the list
 * @property {string} big the id of the Organization with many managers and APIs
 * @property {number} insertMs per Organization
 * @property {Cost} cost
 */

/** @typedef {{insertMs: number, insertMsWithout: number, bytes: number, bytesOfGrams: number}} Cost per Organization */

/**
 * Adds this many Users and Organizations, and to one of these 500 managers and 1,000 APIs.
 *
 * @param {{uri: string, port: number}} service that runs on the database, so the indexes exist. It has `demo-user-1`
 * @param {number} count
 * @returns {Promise<Filled>}
 */
export async function fill({ uri, port }, count) {
  const client = await new MongoClient(uri).connect();
  try {
    const db = client.db();
    const admin = await db.collection('users').findOne({ roles: 'admin' });
    await insert(db.collection('users'), count, (number) => userOf(number, admin.passwordHash));
    const started = performance.now();
    const organizations = db.collection('organizations');
    const ids = await insert(organizations, count, (number) => organizationOf(number, count, admin._id));
    const insertMs = (performance.now() - started) / count;
    const big = ids[Math.floor(count / 3)];
    await makeBig(db, big);
    const cost = await costOfGrams(db, admin._id);
    const body = JSON.stringify({ username: 'demo-user-1', password: PASSWORD });
    const { text } = await send(port, { method: 'POST', path: '/sessions', body });
    const texts = ids.map((id) => id.toHexString());
    return { token: JSON.parse(text).data.accessToken, ids: texts, big: big.toHexString(), insertMs, cost };
  } finally {
    await client.close();
  }
}

/** The name of an Organization by its number. */
export const nameOf = (number) => `Registered Company ${number}`;

/** The username of a User by their number. */
export const usernameOf = (number) => `member-${number}`;

function userOf(number, passwordHash) {
  const username = usernameOf(number);
  const fields = { username, companyName: nameOf(number), email: `${username}@roster.example`, roles: [] };
  return { ...newRecord(UserSchema, fields), passwordHash, emailSetByAdmin: true, sessions: [], referenceCount: 0 };
}

/** The word is in some of them, far apart. */
function organizationOf(number, count, userId) {
  const hasWord = number % Math.floor(count / FOUND) === 7;
  const fields = {
    name: nameOf(number),
    url: `https://company-${number}.example`,
    description: `Number ${number} of the registered companies${hasWord ? `, with a ${WORD}` : ''}.`,
    managers: [{ _id: userId, createdBy: userId, createdAt: new Date() }],
  };
  const others = { featuredApiIds: [], apiCount: 0, referenceCount: 0, createdBy: userId };
  return { ...newRecord(OrganizationSchema, fields), ...others, ...slugOf(`registered-company-${number}`) };
}

async function makeBig(db, _id) {
  const users = await db
    .collection('users')
    .find({}, { projection: { _id: 1 }, limit: MAX_MANAGERS })
    .toArray();
  const managers = users.map((user) => ({ _id: user._id, createdBy: user._id, createdAt: new Date() }));
  await db.collection('organizations').updateOne({ _id }, { $set: { managers, apiCount: MAX_APIS } });
  await insert(db.collection('apis'), MAX_APIS, (number) => {
    const url = `https://api-${number}.example`;
    const fields = { name: `Interface ${number}`, url, description: `Number ${number} of many.`, organizationId: _id };
    const others = { lifecycleStatus: 'production', isPublic: number % 2 === 0, createdBy: users[0]._id };
    return { ...newRecord(ApiSchema, fields), ...others, referenceCount: 0, ...slugOf(`interface-${number}`) };
  });
}

/** Inserts Organizations with the parts of their search text and without, in turn, and removes them. */
async function costOfGrams(db, userId) {
  const organizations = db.collection('organizations');
  const [times, bytes] = [
    [0, 0],
    [0, 0],
  ];
  for (let number = 0; number < SAMPLE; number += SAMPLE / 10) {
    for (const without of [0, 1]) {
      const records = Array.from({ length: SAMPLE / 10 }, (_, index) =>
        organizationOf(1_000_000 + number + index, SAMPLE, userId),
      );
      if (without) for (const record of records) record.searchGrams = [];
      for (const record of records) bytes[without] += BSON.calculateObjectSize(record) / SAMPLE;
      const started = performance.now();
      await organizations.insertMany(records);
      times[without] += (performance.now() - started) / SAMPLE;
      await organizations.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } });
    }
  }
  return { insertMs: times[0], insertMsWithout: times[1], bytes: bytes[0], bytesOfGrams: bytes[0] - bytes[1] };
}

async function insert(collection, count, create) {
  const ids = [];
  for (let number = 0; number < count; number += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - number) }, (_, index) => create(number + index));
    await collection.insertMany(records);
    ids.push(...records.map(({ _id }) => _id));
  }
  return ids;
}

function slugOf(text) {
  const slug = { text, base: text, index: 0 };
  return { slug, slugs: [slug] };
}
