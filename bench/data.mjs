/** The database and the records that all services work on. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient, ObjectId } from 'mongodb';
import { COMMANDS } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/processes.mjs';
import { say, SetupError, step } from '../scripts/lib/steps.mjs';
import { EmbeddedDatabase } from '../tools/embedded-database/database.mjs';
import { INSERTED } from './cases.mjs';
import { ROSTER, send, startService } from './services.mjs';

/** More than there are connections, so at most one request at a time writes the same User. */
const ACCOUNTS = 64;
/** The password of the Users of `npm run seed`. */
const PASSWORD = 'a demo of the registry';

/** @typedef {{tokens: string[], endedToken: string, organizations: {_id: string, name: string}[]}} Data */

/**
 * Starts an embedded database, or uses that of `MONGODB_URI`, with a database of the run's own.
 *
 * @returns {Promise<{uri: string, pid: number | undefined, stop: () => Promise<void>}>} `pid` of an embedded one
 */
export async function startDatabase(folder) {
  const name = `roster_bench_${randomBytes(4).toString('hex')}`;
  const given = process.env.MONGODB_URI;
  if (given) {
    const uri = withDatabase(given, name);
    return { uri, pid: undefined, stop: () => withDb(uri, (db) => db.dropDatabase()) };
  }
  const database = await EmbeddedDatabase.start({ dataDir: join(folder, 'database'), log: say });
  return { uri: withDatabase(database.uri, name), pid: database.pid, stop: () => database.stop() };
}

/** Adds demo records, makes the Users Admins, and logs some of them in. */
export function createData(run) {
  return step('Creating the records', async () => {
    await seed(run.uri, { users: 100, organizations: 200, apis: 0 });
    await makeAdmins(run.uri);
    const { port, stop } = await startService(ROSTER, run);
    try {
      const users = Array.from({ length: ACCOUNTS }, (_, index) => `demo-user-${index + 1}`);
      const tokens = [];
      // One after another: on a busy machine the service refuses some of many logins at once.
      for (const username of users) tokens.push(await tokenOf(port, username));
      const endedToken = await tokenOf(port, users[0]);
      const { sid } = JSON.parse(Buffer.from(endedToken.split('.')[1], 'base64url').toString());
      await expected(204, send(port, { method: 'DELETE', path: `/sessions/${sid}`, token: endedToken }));
      const all = await withDb(run.uri, (db) => db.collection('organizations').find().sort('_id').toArray());
      const organizations = all.map(({ _id, name }) => ({ _id: _id.toHexString(), name }));
      return { tokens, endedToken, organizations };
    } finally {
      await stop();
    }
  });
}

/** Runs `npm run seed` with these numbers of records. */
export function seed(uri, records) {
  const counts = Object.entries(records).flatMap(([name, count]) => [`--${name}`, String(count)]);
  return capture('node', [COMMANDS, 'seed', '--no-company', ...counts], {
    env: { MONGODB_URI: uri, NODE_ENV: 'development' },
  });
}

/** Inserts the records with these numbers, a thousand at a time. */
export async function insertNumbered(collection, { first, last }, recordOf) {
  for (let from = first; from <= last; from += 1000) {
    const length = Math.min(1000, last - from + 1);
    await collection.insertMany(Array.from({ length }, (_, index) => recordOf(from + index)));
  }
}

/**
 * Adds copies of the record that the seed made first, with their own number in place of its 1: `Demo Organization 2`.
 *
 * @param fieldsOf what else differs in the copy with a number, which it gets too
 */
export async function addCopies(db, name, numbers, fieldsOf) {
  const collection = db.collection(name);
  const original = await collection.findOne({}, { sort: { _id: 1 } });
  const copyOf = (number) => {
    const copy = renumbered(original, number);
    return { ...copy, _id: new ObjectId(), ...fieldsOf(number, copy) };
  };
  await insertNumbered(collection, numbers, copyOf);
}

function renumbered(value, number) {
  const isHash = (text) => text.startsWith('$');
  if (typeof value === 'string') return isHash(value) ? value : value.replaceAll(/\b1\b/g, number);
  if (Array.isArray(value)) return value.map((item) => renumbered(item, number));
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renumbered(item, number)]));
}

/** Makes all Users Admins. */
export function makeAdmins(uri) {
  return withDb(uri, (db) => db.collection('users').updateMany({}, { $set: { roles: ['admin'] } }));
}

/** Deletes what the cases inserted. */
export function deleteInserted(uri) {
  return withDb(uri, (db) => db.collection('organizations').deleteMany({ name: { $regex: `^${INSERTED}` } }));
}

/** A login of a demo User. */
export function login(username) {
  return { method: 'POST', path: '/sessions', body: JSON.stringify({ username, password: PASSWORD }) };
}

/** Logs a demo User in and returns the access token. */
export async function tokenOf(port, username) {
  return JSON.parse((await expected(201, send(port, login(username)))).text).data.accessToken;
}

/** @param {number | number[]} status @throws {SetupError} if the response has another status */
export async function expected(status, sending) {
  const response = await sending;
  if ([status].flat().includes(response.status)) return response;
  throw new SetupError(`The response was ${response.status} instead of ${status}: ${response.text.slice(0, 500)}`);
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
