/** `npm start`: prepares the checkout and runs the service until it ends. See README.md here. */
import { constants } from 'node:os';
import { SERVICE, SERVICE_FLAGS } from './lib/paths.mjs';
import { prepareProgram, runService } from './lib/run-with-database.mjs';
import { runMain, say } from './lib/steps.mjs';

/** A start that is stopped before the service handles signals is no error. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
process.on('exit', (code) => {
  if (isStopped && code > 128) process.exitCode = 0;
});

// Output that cannot be written, on a full disk for example, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

runMain(async () => {
  await prepareProgram(SERVICE);
  return explain(await runService([...SERVICE_FLAGS, SERVICE]));
});

/** Says which signal has ended the service, because the service could not. */
function explain(code) {
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  const memory = signal === 'SIGKILL' ? ' If you did not send it, the machine may have run out of memory.' : '';
  if (signal) say(`The service was ended by ${signal}.${memory} Start it again with npm start.`);
  return code;
}
