/**
 * The requests that are measured. In a body, `{n}` is replaced by a number that no other request of the run has. `status`
 * is that of every response; what a case `inserts` is deleted after each round.
 */

const FIELDS = { url: 'https://bench.example', description: 'Written by the benchmark: {n}.' };
const post = (body) => [{ method: 'POST', path: '/organizations', body: JSON.stringify(body) }];

/** The names of inserted Organizations begin with this. */
export const INSERTED = 'Inserted by the benchmark';

export const CASES = [
  {
    name: 'R1',
    title: 'GET one Organization',
    status: 200,
    requests: ({ organizations }) => organizations.map(({ _id }) => ({ method: 'GET', path: `/organizations/${_id}` })),
  },
  {
    name: 'R2',
    title: 'GET a list of 20',
    status: 200,
    requests: () => [{ method: 'GET', path: '/organizations?limit=20' }],
  },
  {
    name: 'R3',
    title: 'GET users by q',
    status: 200,
    // 11 of 100 Users: numbers 4 and 40 to 49.
    requests: () => [{ method: 'GET', path: '/users?q=demo-user-4' }],
  },
  {
    name: 'R4',
    title: 'PUT an Organization',
    status: 200,
    requests: ({ organizations }) =>
      organizations.map(({ _id, name }) => ({
        method: 'PUT',
        path: `/organizations/${_id}`,
        body: JSON.stringify({ name, ...FIELDS }),
      })),
  },
  {
    name: 'R5',
    title: 'POST an Organization',
    status: 201,
    requests: () => post({ name: `${INSERTED} {n}`, ...FIELDS }),
    inserts: true,
  },
  {
    name: 'R6',
    title: 'POST refused with 400',
    status: 400,
    requests: () => post({ url: 'no URL', description: 'The name is missing.', unknown: 1 }),
  },
  {
    name: 'R7',
    title: 'GET lists of 20, each another page',
    status: 200,
    // As R2, but no two connections ask for the same page at the same time.
    requests: () =>
      Array.from({ length: 180 }, (_, skip) => ({ method: 'GET', path: `/organizations?limit=20&skip=${skip}` })),
  },
];
