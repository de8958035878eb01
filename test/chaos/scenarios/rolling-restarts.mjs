import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Client } from '../../support/http-client.mjs';
import { Database, Service, start, temporaryFolder, until } from '../lib/programs.mjs';

export const title = 'Two instances are restarted one after the other, behind haproxy';

/** Restarts of each of the two. */
const RESTARTS = 2;
/** As in production: SHUTDOWN_DELAY_MS. */
const SETTINGS = { SHUTDOWN_DELAY_MS: '5000' };
/** The pauses of the clients that reuse one connection, and of those that open one for each request (ms). */
const REUSING_MS = [0, 20, 50, 100, 200, 500, 1000, 1900];
const OPENING_MS = [20, 50, 100, 200];
/** Time for the balancer to see that a new instance is ready (ms). */
const SETTLE_MS = 2500;

export async function run({ report, times }) {
  const database = await Database.start();
  const instances = [await Service.start(database.uri, SETTINGS), await Service.start(database.uri, SETTINGS)];
  const { token } = await instances[0].admin();
  const base = await startBalancer(instances.map(({ port }) => port));
  const state = { isOn: true, count: 0, failed: [] };
  const clients = [
    ...REUSING_MS.map((pause) => work(new Client(base, { token }), pause, state)),
    ...OPENING_MS.map((pause) => work(new Client(base, { token, keepAlive: false }), pause, state)),
  ];
  for (let restart = 0; restart < times(RESTARTS); restart += 1) {
    for (const instance of instances) {
      await instance.stop();
      await instance.restart();
      await sleep(SETTLE_MS);
    }
  }
  state.isOn = false;
  await Promise.all(clients);
  report.none(`failed of ${state.count} requests on kept and new connections`, state.failed);
}

/** Starts haproxy before the instances, which it asks for `/health/ready` every second. @returns its address */
async function startBalancer(ports) {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  const servers = ports.map((one) => `  server s${one} 127.0.0.1:${one} check inter 1000ms fall 2 rise 1\n`);
  const timeouts = ['connect 2s', 'client 60s', 'server 60s', 'http-keep-alive 60s'].map((one) => `  timeout ${one}\n`);
  writeFileSync(
    file,
    `defaults\n  mode http\n${timeouts.join('')}  option redispatch\n` +
      `listen roster\n  bind 127.0.0.1:${port}\n  option httpchk GET /health/ready\n${servers.join('')}`,
  );
  const program = start(['-db', '-f', file], {}, folder, 'haproxy');
  const base = `http://127.0.0.1:${port}`;
  const isUp = async () => (await new Client(base, { keepAlive: false }).get('/health/ready')).status === 200;
  await until(isUp, `haproxy is up (${program.errors})`);
  return base;
}

/** Reads and writes until it is stopped. */
async function work(client, pause, state) {
  for (let number = 0; state.isOn; number += 1) {
    state.count += 1;
    const isWrite = number % 5 === 0;
    const request = isWrite ? ['POST', '/users', newUser(`restart-${state.count}`)] : ['GET', '/users?limit=5'];
    const { status, error } = await client.send(...request);
    if (status !== (isWrite ? 201 : 200)) state.failed.push(`${request[0]} (${pause} ms): ${error ?? status}`);
    await sleep(pause);
  }
}

/** A User without a password: an Admin may create any number of them. */
function newUser(username) {
  return { username, companyName: 'Restarts', email: `${username}@roster.example`, externalId: username };
}
