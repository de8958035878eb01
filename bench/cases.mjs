/**
 * The requests that are measured. In a body, `{n}` is replaced by a number that no other request of the run has. `status`
 * is that of every response; what a case `inserts` is deleted after each round. `limits` replace those of the run: with
 * `accounts: 1`, each round has another account, because one manages at most 1,000 Organizations.
 */

const FIELDS = { url: 'https://bench.example', description: 'Written by the benchmark: {n}.' };
const write = (method, path, fields) => ({ method, path, body: JSON.stringify(fields) });
const post = (fields) => write('POST', '/organizations', fields);
const put = ({ _id, name }) => write('PUT', `/organizations/${_id}`, { name, ...FIELDS });
const get = (path) => ({ method: 'GET', path });
const read = ({ _id }) => get(`/organizations/${_id}`);
const page = (skip) => get(`/organizations?limit=20&skip=${skip}`);

/** The names of inserted Organizations begin with this. */
export const INSERTED = 'Inserted by the benchmark';

const insert = post({ name: `${INSERTED} {n}`, ...FIELDS });

export const CASES = [
  { name: 'R1', title: 'GET one Organization', requests: ({ organizations }) => organizations.map(read) },
  { name: 'R2', title: 'GET a list of 20', requests: () => [get('/organizations?limit=20')] },
  // 11 of 100 Users: numbers 4 and 40 to 49.
  { name: 'R3', title: 'GET users by q', requests: () => [get('/users?q=demo-user-4')] },
  {
    name: 'R3X',
    title: 'GET users by q, each another one',
    requests: () => Array.from({ length: 100 }, (_, number) => get(`/users?q=demo-user-${number + 1}`)),
  },
  { name: 'R4', title: 'PUT an Organization', requests: ({ organizations }) => organizations.map(put) },
  { name: 'R5', title: 'POST an Organization', status: 201, requests: () => [insert], inserts: true },
  {
    name: 'R5S',
    title: 'POST an Organization, one account',
    status: 201,
    requests: () => [insert],
    inserts: true,
    limits: { accounts: 1, connections: 20, seconds: 2 },
  },
  {
    name: 'R6',
    title: 'POST refused with 400',
    status: 400,
    requests: () => [post({ url: 'no URL', description: 'The name is missing.', unknown: 1 })],
  },
  {
    name: 'R7',
    title: 'GET lists of 20, each another page',
    // As R2, but no two connections ask for the same page at the same time.
    requests: () => Array.from({ length: 180 }, (_, skip) => page(skip)),
  },
  {
    name: 'R8',
    title: 'mixed: 80 % GET one, 15 % lists, 5 % writes; all different',
    // Each PUT is of another Organization than the ones before it, so requests don't compete for a few.
    requests: ({ organizations }) =>
      Array.from({ length: 40 * organizations.length }, (_, number) => {
        if (number % 20 === 5) return number % 40 === 5 ? put(organizations[(number - 5) / 40]) : insert;
        return number % 20 > 16 ? page((number - 17) % 180) : read(organizations[number % organizations.length]);
      }),
    inserts: true,
  },
].map((one) => ({ status: 200, ...one }));
