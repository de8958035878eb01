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
 * @returns {Promise<{slowest: {what: string, seconds: number}, others: string[]}>} the slowest response, and those that
 *   were not 503
 */
export async function probe(client, seconds) {
  const { organizationId } = client;
  const requests = [
    ['GET', '/organizations'],
    ['GET', `/organizations/${organizationId}`],
    ['GET', '/apis?q=nets'],
    ['POST', '/organizations', { name: 'While away', url }],
    ['PUT', `/organizations/${organizationId}`, { name: 'Changed while away', url }],
    ['POST', `/organizations/${organizationId}/apis`, { name: 'While away', url }],
    ['POST', '/sessions', ADMIN],
    ['DELETE', `/organizations/${organizationId}`],
  ];
  const sent = [];
  await repeat(seconds, INTERVAL_MS, () => {
    sent.push(...requests.map(async (request) => ({ request, ...(await client.send(...request)) })));
  });
  const outcomes = await Promise.all(sent);
  const nameOf = ({ request: [method, path] }) => `${method} ${path}`;
  const slowest = outcomes.reduce((one, other) => (one.seconds > other.seconds ? one : other));
  const others = outcomes.filter(({ status }) => status !== 503);
  return {
    slowest: { what: nameOf(slowest), seconds: slowest.seconds },
    others: others.map((outcome) => `${nameOf(outcome)}: ${outcome.error ?? outcome.status}`),
  };
}

/** Gives the client an Organization for the probes. */
export async function prepareProbes(client) {
  const { body } = await client.send('POST', '/organizations', { name: 'Kept', url });
  client.organizationId = body.data._id;
}

/**
 * @param {import('../../support/http-client.mjs').Client} client an Admin
 * @returns {Promise<number>} how long it takes until reads and writes work (s)
 */
export async function untilBack(client) {
  let number = 0;
  const body = () => ({ name: `Back ${Date.now()} ${(number += 1)}`, url });
  return until(async () => {
    const read = await client.get('/organizations');
    return read.status === 200 && (await client.send('POST', '/organizations', body())).status === 201;
  }, 'reads and writes work again');
}
