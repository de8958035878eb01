import { setTimeout as sleep } from 'node:timers/promises';
import { balancers } from '../lib/balancers.mjs';
import { Client } from '../lib/client.mjs';
import { Database } from '../lib/database.mjs';
import { Service } from '../lib/service.mjs';

export const title = 'Two instances are restarted one after the other, with a load balancer before them';

/** Restarts of each of the two. */
const RESTARTS = 2;
/** As in production: SHUTDOWN_DELAY_MS. */
const SETTINGS = { SHUTDOWN_DELAY_MS: '5000' };
/** The pauses of the clients that reuse one connection, and of those that open one for each request (ms). */
const REUSING_MS = [0, 20, 50, 100, 200, 500, 1000, 1900];
const OPENING_MS = [20, 50, 100, 200];
/** Time for the balancer to see that a new instance is ready (ms). */
const SETTLE_MS = 2500;

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report, times }) {
  const database = await Database.start();
  const instances = [await Service.start(database.uri, SETTINGS), await Service.start(database.uri, SETTINGS)];
  const { token } = await instances[0].admin();
  for (const [name, start] of Object.entries(balancers)) {
    const base = await start(instances.map(({ port }) => port));
    const clients = new Clients(base, token);
    for (let restart = 0; restart < times(RESTARTS); restart += 1) {
      for (const instance of instances) {
        await instance.stop();
        await instance.restart();
        await sleep(SETTLE_MS);
      }
    }
    const { kept, opened, failed } = await clients.stop();
    report.atMost(
      `${name}: failed of ${kept} requests on kept connections and ${opened} on new ones`,
      failed.length,
      0,
    );
    for (const line of new Set(failed)) report.note(line);
  }
}

/** Clients that read and write until they are stopped. */
class Clients {
  #isOn = true;
  #counts = { kept: 0, opened: 0, failed: [] };
  #clients;

  constructor(base, token) {
    this.#clients = [
      ...REUSING_MS.map((pause) => this.#work(new Client(base, { token }), pause, 'kept')),
      ...OPENING_MS.map((pause) => this.#work(new Client(base, { token, keepAlive: false }), pause, 'opened')),
    ];
  }

  async #work(client, pause, kind) {
    for (let number = 0; this.#isOn; number += 1) {
      const isWrite = number % 5 === 0;
      const request = isWrite ? ['POST', '/users', newUser(`${kind}-${pause}-${number}`)] : ['GET', '/users?limit=5'];
      const { status, error } = await client.send(...request);
      this.#counts[kind] += 1;
      if (status !== (isWrite ? 201 : 200))
        this.#counts.failed.push(`${request[0]} (${kind}, ${pause} ms): ${error ?? status}`);
      await sleep(pause);
    }
  }

  async stop() {
    this.#isOn = false;
    await Promise.all(this.#clients);
    return this.#counts;
  }
}

let users = 0;

/** A User without a password, of whom an Admin may create any number. */
function newUser(name) {
  const username = `${(users += 1)}-${name}`;
  return { username, companyName: name, email: `${username}@roster.example`, externalId: username };
}
