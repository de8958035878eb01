import { execFileSync } from 'node:child_process';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Client } from '../../support/http-client.mjs';
import { Database, repeat, Service, start, temporaryFolder, until } from '../lib/programs.mjs';

export const title = 'Two instances count in one Redis, which is killed and hangs';

/** Length of each outage of Redis (s), and the pause between two requests to an instance (ms). */
const AWAY_S = 10;
const PAUSE_MS = 50;
/** Wrong logins per minute from an address to an account: LOGIN_RATE_LIMIT_PER_MINUTE. */
const LOGINS = 10;
/** Goal for the slowest response (s): the store may take half a second, for each of two limits. */
const SLOWEST_S = 1.5;
/** Longest time until both instances count in Redis again (ms): they connect every 2 s, and may wait a second for it. */
const SHARED_MS = 5000;

const OUTAGES = [
  ['killed', (redis) => redis.program.stop('SIGKILL'), (redis) => redis.restart()],
  [
    'hung',
    (redis) => process.kill(redis.program.pid, 'SIGSTOP'),
    (redis) => process.kill(redis.program.pid, 'SIGCONT'),
  ],
];

export async function run({ report, times }) {
  const [database, redis] = [await Database.start(), await startRedis()];
  const settings = { RATE_LIMIT_STORE: redis.url, RATE_LIMIT_PER_MINUTE: '3000' };
  const instances = [await Service.start(database.uri, settings), await Service.start(database.uri, settings)];
  const { token } = await instances[0].admin();
  report.atMost('wrong logins that pass two instances', await guess(instances, '127.0.1.1'), LOGINS);
  for (const [index, [what, end, begin]] of OUTAGES.entries()) {
    const address = (host) => `127.0.${2 + index}.${host}`;
    await end(redis);
    const load = instances.map(({ base }, host) => {
      const client = new Client(base, { token, address: address(host + 1) });
      return repeat(times(AWAY_S), PAUSE_MS, () => client.get('/organizations?limit=5'));
    });
    const passed = await guess(instances, address(3));
    const all = (await Promise.all(load)).flat();
    await begin(redis);
    for (const [host, { base }] of instances.entries()) await untilCounted(redis, base, address(5 + host));
    const failed = all.filter(({ status }) => status !== 200);
    report.atMost(`Redis ${what}: failed of ${all.length} requests`, failed.length, 0);
    report.atMost(`Redis ${what}: slowest response`, Math.max(...all.map(({ seconds }) => seconds)), SLOWEST_S, 's');
    report.atMost(`Redis ${what}: wrong logins that pass, while each instance counts for itself`, passed, 2 * LOGINS);
    report.atMost(`Redis ${what}: wrong logins that pass afterwards`, await guess(instances, address(4)), LOGINS);
  }
}

/** Waits until an instance has counted a request in Redis. */
async function untilCounted(redis, base, address) {
  const client = new Client(base, { address });
  const isCounted = async () => {
    await client.get('/organizations');
    return redis.command('EXISTS', `roster:request:${address}`) === '1';
  };
  await until(isCounted, 'an instance counts in Redis again', SHARED_MS);
}

/** @returns {Promise<number>} how many of three times the limit of guesses, at both instances, are not refused with 429 */
async function guess(instances, address) {
  const login = { username: `guess-${address.replaceAll('.', '-')}`, password: 'a wrong one' };
  let passed = 0;
  for (let number = 0; number < 3 * LOGINS; number += 1) {
    const client = new Client(instances[number % 2].base, { address });
    if ((await client.send('POST', '/sessions', login)).status !== 429) passed += 1;
  }
  return passed;
}

/** A Redis server of its own, which keeps nothing on disk; `restart` starts it again, empty. */
async function startRedis() {
  const port = String(await freePort());
  const command = (...words) => {
    try {
      return execFileSync('redis-cli', ['-p', port, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
    } catch (error) {
      return String(error.stderr);
    }
  };
  const redis = { url: `redis://127.0.0.1:${port}`, command };
  redis.restart = async () => {
    const options = ['--port', port, '--bind', '127.0.0.1', '--save', ''];
    redis.program = start(options, {}, temporaryFolder(), 'redis-server');
    await until(() => command('PING') === 'PONG', 'Redis responds');
  };
  await redis.restart();
  return redis;
}
