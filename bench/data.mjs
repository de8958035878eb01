/** The databases of a run and their records. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { say, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { EmbeddedDatabase } from '../tools/embedded-database/database.mjs';
import { INSERTED } from './cases.mjs';
import { ADMIN, expected, startService } from './services.mjs';

/** More than there are connections, so at most one request at a time writes the same User. */
const ACCOUNTS = 64;
const USERS = 100;
const ORGANIZATIONS = 200;
const PASSWORD = 'a benchmark of the registry';

/** Starts an embedded database for the run, or uses that of `MONGODB_URI`. `uri(name)` is deleted at the end. */
export async function startDatabase(folder) {
  const prefix = `roster_bench_${randomBytes(4).toString('hex')}`;
  const given = process.env.MONGODB_URI;
  const start = () => EmbeddedDatabase.start({ dataDir: join(folder, 'database'), log: say });
  const database = given ? undefined : await step('Starting the database', start);
  if (database) atEnd(() => database.stop());
  const uri = (name) => {
    const own = withDatabase(given ?? database.uri, `${prefix}_${name}`);
    if (given) atEnd(() => withDb(own, (db) => db.dropDatabase()));
    return own;
  };
  return { pid: database?.pid, uri };
}

/** Creates what the cases need, with a build of Roster. */
export async function createData(definition, run) {
  await createFirst(definition, run);
  await withDb(run.uri, async (db) => {
    await addCopies(db, 'users', { first: 2, last: USERS });
    await addCopies(db, 'organizations', { first: 2, last: ORGANIZATIONS });
    await db.collection('users').updateMany({}, { $set: { roles: ['admin'] } });
  });
  const { port, stop } = await startService(definition, run);
  const tokens = [];
  // One after another: on a busy machine the service refuses some of many simultaneous logins.
  for (let number = 1; number <= ACCOUNTS; number += 1) tokens.push(await tokenOf(port, `demo-user-${number}`));
  await stop();
  const all = await withDb(run.uri, (db) => db.collection('organizations').find().sort('_id').toArray());
  return { tokens, organizations: all.map(({ _id, name }) => ({ _id: _id.toHexString(), name })) };
}

/** Creates the records with the number 1 over HTTP, as an Admin. The others are copies of them. */
export async function createFirst(definition, run) {
  const { port, stop } = await startService(definition, run);
  const token = await tokenOf(port, ADMIN.username, ADMIN.password);
  const post = async (path, fields) => {
    const sent = { method: 'POST', path, token, body: JSON.stringify(fields) };
    return JSON.parse((await expected(201, port, sent)).text).data._id;
  };
  const domain = 'organization-1.example';
  const user = { username: 'demo-user-1', email: 'demo-user-1@roster.example', companyName: 'Demo 1' };
  await post('/users', { ...user, password: PASSWORD });
  const organization = {
    name: 'Demo Organization 1',
    url: `https://${domain}`,
    description: 'The demo with number 1.',
  };
  const contact = { contactName: 'Team 1', contactEmail: `team@${domain}`, externalId: 'crm-1' };
  const id = await post('/organizations', { ...organization, ...contact });
  const api = { name: 'Demo Api 1', url: `https://api-1.example`, lifecycleStatus: 'production', tags: ['common'] };
  await post(`/organizations/${id}/apis`, { ...api, isPublic: true, externalId: 'gateway-1' });
  await stop();
}

/** Adds copies of the record with the number 1, with their own number in its place: `Demo Organization 2`. */
export async function addCopies(db, name, numbers, fieldsOf = () => ({})) {
  const collection = db.collection(name);
  // The Admin of the first start comes before the Users.
  const original = await collection.findOne({}, { sort: { _id: -1 } });
  await insertNumbered(collection, numbers, (number) => ({
    ...renumbered(original, number),
    _id: new ObjectId(),
    ...fieldsOf(number),
  }));
}

/** Inserts the records with these numbers, a thousand at a time. */
export async function insertNumbered(collection, { first, last }, recordOf) {
  for (let from = first; from <= last; from += 1000) {
    const length = Math.min(1000, last - from + 1);
    await collection.insertMany(Array.from({ length }, (_, index) => recordOf(from + index)));
  }
}

function renumbered(value, number) {
  // A hash of a password begins with `$`.
  if (typeof value === 'string') return value.startsWith('$') ? value : value.replaceAll(/\b1\b/g, number);
  if (Array.isArray(value)) return value.map((item) => renumbered(item, number));
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renumbered(item, number)]));
}

/** Deletes what the cases inserted. */
export function deleteInserted(uri) {
  return withDb(uri, (db) => db.collection('organizations').deleteMany({ name: { $regex: `^${INSERTED}` } }));
}

export function login(username, password = PASSWORD) {
  return { method: 'POST', path: '/sessions', body: JSON.stringify({ username, password }) };
}

/** Logs a User in and returns the access token. */
export async function tokenOf(port, username, password = PASSWORD) {
  return JSON.parse((await expected(201, port, login(username, password))).text).data.accessToken;
}

/** Works on the database with the driver. */
export async function withDb(uri, work) {
  const client = await new MongoClient(uri).connect();
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

/** The address with another database. Not by `URL`, which takes no list of hosts. */
function withDatabase(uri, name) {
  return uri.replace(/^(\S+?:\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
}
