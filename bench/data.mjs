/** The database and the records that all services work on. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { DIST } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/processes.mjs';
import { say, SetupError, step } from '../scripts/lib/steps.mjs';
import { EmbeddedDatabase } from '../tools/embedded-database/database.mjs';
import { INSERTED } from './cases.mjs';
import { send } from './client.mjs';
import { SERVICES, startService } from './services.mjs';

const COUNTS = { users: 100, organizations: 200, apis: 0 };
/** More than there are connections, so at most one request at a time writes the same User. */
const ACCOUNTS = 64;
/** The password of the Users of `npm run seed`. */
export const PASSWORD = 'a demo of the registry';

/**
 * @typedef {object} Data
 * @property {string[]} tokens of Admins
 * @property {string} endedToken of a session that has ended
 * @property {{_id: string, name: string}[]} organizations
 */

/**
 * The database of `MONGODB_URI`, or an embedded one. Everything is in a database of the run's own.
 *
 * @param {string} folder
 * @returns {Promise<{uri: string, pid: number | undefined, stop: () => Promise<void>}>} `pid` of an embedded one
 */
export async function startDatabase(folder) {
  const name = `roster_bench_${randomBytes(4).toString('hex')}`;
  const given = process.env.MONGODB_URI;
  if (given) {
    const uri = withDatabase(given, name);
    return { uri, pid: undefined, stop: () => withClient(uri, (client) => client.db().dropDatabase()) };
  }
  const database = await EmbeddedDatabase.start({ dataDir: join(folder, 'database'), log: say });
  return { uri: withDatabase(database.uri, name), pid: database.pid, stop: () => database.stop() };
}

/**
 * Adds the demo records of `npm run seed`, makes the Users Admins, and logs some of them in.
 *
 * @param {Parameters<typeof startService>[1]} run
 * @returns {Promise<Data>}
 */
export function createData(run) {
  return step('Creating the records', async () => {
    await seedAdmins(run);
    const service = await startService(SERVICES[0], run);
    try {
      const users = Array.from({ length: ACCOUNTS }, (_, index) => `demo-user-${index + 1}`);
      const tokens = [];
      // One after another: on a busy machine the service refuses some of many logins at once.
      for (const username of users) tokens.push(await logIn(service.port, username));
      const endedToken = await logIn(service.port, users[0]);
      await endSession(service.port, endedToken);
      return { tokens, endedToken, organizations: await findOrganizations(run.uri) };
    } finally {
      await service.stop();
    }
  });
}

/** Deletes what the cases inserted. */
export function deleteInserted(uri) {
  return withClient(uri, (client) =>
    client
      .db()
      .collection('organizations')
      .deleteMany({ name: { $regex: `^${INSERTED}` } }),
  );
}

/**
 * Adds the demo records of `npm run seed`, and makes the Users Admins.
 *
 * @param {{node: string, uri: string}} run
 * @param {Record<string, number>} [records] how many
 */
export async function seedAdmins({ node, uri }, records = COUNTS) {
  const counts = Object.entries(records).flatMap(([name, count]) => [`--${name}`, String(count)]);
  const env = { MONGODB_URI: uri, NODE_ENV: 'development' };
  await capture(node, [join(DIST, 'seed', 'main.js'), ...counts], { env });
  await withClient(uri, (client) =>
    client
      .db()
      .collection('users')
      .updateMany({}, { $set: { roles: ['admin'] } }),
  );
}

function findOrganizations(uri) {
  return withClient(uri, async (client) => {
    const organizations = client.db().collection('organizations');
    const found = await organizations.find({}, { projection: { name: 1 }, sort: { _id: 1 } }).toArray();
    return found.map(({ _id, name }) => ({ _id: _id.toHexString(), name }));
  });
}

async function logIn(port, username) {
  const body = JSON.stringify({ username, password: PASSWORD });
  const { status, text } = await send(port, { method: 'POST', path: '/sessions', body });
  if (status !== 201) throw new SetupError(`The login of ${username} failed: ${status} ${text}`);
  return JSON.parse(text).data.accessToken;
}

async function endSession(port, token) {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const { status, text } = await send(port, { method: 'DELETE', path: `/sessions/${sid}`, token });
  if (status !== 204) throw new SetupError(`A session could not be ended: ${status} ${text}`);
}

async function withClient(uri, work) {
  const client = await new MongoClient(uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The address with another database. Not by `URL`, which takes no list of hosts. */
function withDatabase(uri, name) {
  const [, hosts, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri) ?? [];
  if (hosts === undefined) throw new SetupError('MONGODB_URI is not an address of MongoDB.');
  return `${hosts}/${name}${options}`;
}
