const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Without a terminal (in CI), how often a line shows that a step is still running (ms). */
const STILL_MS = 15_000;

/** A problem that the user can fix; printed without a stack trace. */
export class SetupError extends Error {}

/**
 * Runs a step of work, and shows its name and the time it takes.
 *
 * @template T
 * @param {string} title what is being done
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what the work returns
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

/** @param {string} line a message for the user; goes to stderr, because stdout belongs to the program that is run */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs the main function of a command, prints errors, and sets the exit code.
 *
 * @param {() => Promise<number>} main returns the exit code
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
  const timer = setInterval(() => say(`· ${title} … still running after ${seconds(started)}`), STILL_MS);
  return (mark) => {
    clearInterval(timer);
    say(`${mark} ${title} (${seconds(started)})`);
  };
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
