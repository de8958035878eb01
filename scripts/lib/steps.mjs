const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Where nobody looks at a spinner (a log, CI), a line this often shows that work goes on. */
const STILL_MS = 15_000;

/** A problem that a person can do something about; printed without a stack trace. */
export class SetupError extends Error {}

/**
 * Does one piece of work with a line for the person who waits: its name and the time it takes.
 *
 * @template T
 * @param {string} title what is being done
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what the work gives
 */
export async function step(title, work) {
  const started = Date.now();
  const stop = process.stderr.isTTY ? spin(title, started) : report(title, started);
  try {
    const result = await work();
    stop('✔');
    return result;
  } catch (error) {
    stop('✖');
    throw error;
  }
}

/** @param {string} line something worth knowing; on stderr, so that stdout stays the program's own */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a command's main function: problems are told in words, and the process ends with its exit code.
 *
 * @param {() => Promise<number>} main gives the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    say(error instanceof SetupError ? `\n${error.message}` : String(error?.stack ?? error));
    process.exitCode = 1;
  }
}

/** @returns {(mark: string) => void} */
function spin(title, started) {
  let frame = 0;
  const timer = setInterval(() => {
    process.stderr.write(`\r\x1b[K${SPINNER[frame++ % SPINNER.length]} ${title} … ${seconds(started)}`);
  }, FRAME_MS);
  return (mark) => {
    clearInterval(timer);
    process.stderr.write(`\r\x1b[K${mark} ${title} (${seconds(started)})\n`);
  };
}

/** @returns {(mark: string) => void} */
function report(title, started) {
  say(`· ${title} …`);
  const timer = setInterval(() => say(`· ${title} … still at it after ${seconds(started)}`), STILL_MS);
  return (mark) => {
    clearInterval(timer);
    say(`${mark} ${title} (${seconds(started)})`);
  };
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
