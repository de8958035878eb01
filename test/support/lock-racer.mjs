/**
 * Takes one lock after the other, each at a given moment, so that several of these race for them:
 * `node lock-racer.mjs START_MS INTERVAL_MS LOCK…`. Writes one JSON list: `true` for each lock that it got. Holds them
 * until it is killed.
 */
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';

const [start, interval, ...paths] = process.argv.slice(2);
const got = paths.map((path, round) => {
  const moment = Number(start) + round * Number(interval);
  while (Date.now() < moment); // a timer would be too coarse for a race
  try {
    ProcessLock.take(path);
    return true;
  } catch (error) {
    if (error instanceof LockHeld) return false;
    throw error;
  }
});
console.log(JSON.stringify(got));
setInterval(() => undefined, 1000);
