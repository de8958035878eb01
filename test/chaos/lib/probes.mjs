import { repeat, until } from './processes.mjs';
import { ADMIN } from './service.mjs';

const url = 'https://roster.example';
/** Interval of the probes while something is broken (ms). */
const INTERVAL_MS = 500;

/**
 * Sends requests of every kind again and again while the database is away.
 *
 * @param {import('../../support/http-client.mjs').Client} client an Admin
 * @param {number} seconds
 * @returns {Promise<{slowest: number, others: string[]}>} the time of the slowest response, and those that were not 503
 */
export async function probe(client, seconds) {
  const requests = [
    ['GET', '/organizations'],
    ['GET', `/users/${client.user._id}`],
    ['GET', '/apis?q=nets'],
    ['POST', '/organizations', { name: 'While away', url }],
    ['PUT', `/users/${client.user._id}`, { ...client.user, companyName: 'While away' }],
    ['POST', '/sessions', ADMIN],
  ];
  const sent = [];
  await repeat(seconds, INTERVAL_MS, () => {
    sent.push(...requests.map(async (request) => ({ request, ...(await client.send(...request)) })));
  });
  const outcomes = await Promise.all(sent);
  const others = outcomes.filter(({ status }) => status !== 503);
  return {
    slowest: Math.max(...outcomes.map((outcome) => outcome.seconds)),
    others: others.map(({ request: [method, path], error, status }) => `${method} ${path}: ${error ?? status}`),
  };
}

/** @returns {Promise<number>} how long it takes until reads and writes of an Admin work (s) */
export async function untilBack(client) {
  const body = () => ({ name: `Back ${performance.now()}`, url });
  return until(async () => {
    const read = await client.get('/organizations');
    return read.status === 200 && (await client.send('POST', '/organizations', body())).status === 201;
  }, 'reads and writes work again');
}
