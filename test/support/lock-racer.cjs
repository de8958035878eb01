/**
 * Takes one lock after the other, each at a given moment, so that several of these race for them:
 * `node lock-racer.cjs START_MS INTERVAL_MS LOCK…`. Writes one JSON list: `true` for a lock that it got. Holds them all
 * until it is killed.
 */
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file).code, file);

const { ProcessLock } = require('../../src/database/embedded/process-lock');

const [start, interval, ...paths] = process.argv.slice(2);
const got = paths.map((path, round) => {
  const moment = Number(start) + round * Number(interval);
  while (Date.now() < moment); // a timer would be too coarse for a race
  try {
    ProcessLock.take(path);
    return true;
  } catch (error) {
    if (error.holder === undefined) throw error;
    return false;
  }
});
console.log(JSON.stringify(got));
setInterval(() => undefined, 1000);
