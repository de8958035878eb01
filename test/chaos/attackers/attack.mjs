import { setTimeout as sleep } from 'node:timers/promises';

/** Settings of the attack, from the argument of its process. */
export const orders = JSON.parse(process.argv[2]);

/** @type {Record<string, number>} how often each response, or error, occurred */
const counts = {};

/** @param {string | number} outcome */
export function count(outcome) {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit());
});

/**
 * Calls `attack` again and again on as many connections as ordered.
 *
 * @param {(connection: number) => Promise<string | number>} attack returns what it counts
 * @param {number} [pauseMs] how long a connection waits at least between two calls: a flood of refused requests is bounded
 *   by the attackers' network
 */
export function flood(attack, pauseMs = 0) {
  for (let connection = 0; connection < orders.connections; connection += 1) {
    void (async () => {
      await sleep(Math.random() * pauseMs);
      for (;;) {
        const pause = sleep(pauseMs);
        count(await attack(connection));
        await pause;
      }
    })();
  }
}

/** @param {number} connection @returns {string} one of 200 addresses */
export function addressOf(connection) {
  return `127.1.0.${1 + (connection % 200)}`;
}
