/** Set by global-setup.ts: the address of each worker's server, or the one of all, without a database's name. */
const SERVERS = 'TEST_MONGODB_URIS';

/**
 * The address of a test's own database: files that run side by side must not see each other's records.
 *
 * @param name what tells this test's database apart, such as the name of its file: `A–Z a–z 0–9 _ -`, at most 50
 * @returns an address for mongoose; the database is called `roster_test_<name>`, so that on a server that holds other
 * things (`MONGODB_URI`) none of them is touched
 * @throws Error outside a test run, or for another name
 */
export function databaseUri(name: string): string {
  const servers = process.env[SERVERS]?.split(' ');
  if (servers === undefined)
    throw new Error(`${SERVERS} is set by test/support/global-setup.ts; run the tests with jest`);
  if (!/^[\w-]{1,50}$/.test(name)) throw new Error(`not a name for a database: ${name}`);
  return withDatabase(servers[Number(process.env.JEST_WORKER_ID) - 1] ?? servers[0]!, `roster_test_${name}`);
}

/**
 * Puts a database's name into an address of MongoDB. Not by `URL`, which takes no list of hosts.
 *
 * @param uri `mongodb://…` or `mongodb+srv://…`, with or without a database's name
 * @param database the name; empty for none
 */
export function withDatabase(uri: string, database: string): string {
  const [, hosts, options] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri) ?? [];
  if (hosts === undefined) throw new Error('MONGODB_URI is no address of MongoDB');
  return `${hosts}/${database}${options ?? ''}`;
}
