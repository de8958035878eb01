import { constants } from 'node:os';

/** How often a line shows that a step is still running (ms). */
const STILL_MS = 15_000;

/** A problem that the user can fix; printed without a stack trace. */
export class SetupError extends Error {}

/** Runs a step of work, and shows its title and the time it takes. */
export async function step(title, work) {
  const started = Date.now();
  const time = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  say(`· ${title} …`);
  const timer = setInterval(() => say(`· ${title} … still running after ${time()}`), STILL_MS);
  let mark = '✖';
  try {
    const result = await work();
    mark = '✔';
    return result;
  } finally {
    clearInterval(timer);
    say(`${mark} ${title} (${time()})`);
  }
}

/** @param {string} line a message for the user; goes to stderr, because stdout belongs to the program that is run */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

let onSignal;

/** @param {(signal: NodeJS.Signals) => void} listener called on a signal from now on, instead of what was before */
export function handleSignals(listener) {
  if (!onSignal) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => onSignal(signal));
  onSignal = listener;
}

/** Runs the main function of a command, prints errors, and sets the exit code that it returns. */
export async function runMain(main) {
  // So `exit` listeners end what was started.
  handleSignals((signal) => process.exit(128 + constants.signals[signal]));
  try {
    process.exitCode = await main();
  } catch (error) {
    // A read-only checkout, or a full disk.
    const isUnwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error?.code) && error.path;
    if (isUnwritable) say(`\n${error.path} cannot be written (${error.code}).`);
    else say(error instanceof SetupError ? `\n${error.message}` : String(error?.stack ?? error));
    // Not at the end of other steps: `exit` listeners end them.
    process.exit(1);
  }
}
