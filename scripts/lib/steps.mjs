const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Without a terminal (in CI), how often a line shows that a step is still running (ms). */
const STILL_MS = 15_000;

/** The steps that are shown on this terminal, and how many lines of it they take up. */
const running = new Set();
let drawn = 0;
let timer;

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
  if (running.size > 0) draw(line);
  else process.stderr.write(`${line}\n`);
}

/**
 * Runs steps that do not need each other, side by side. If one fails, the others finish first.
 *
 * @param {(() => Promise<unknown>)[]} works
 * @throws what the first that failed has thrown
 */
export async function sideBySide(works) {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
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
  const shown = { title, started };
  running.add(shown);
  timer ??= setInterval(draw, FRAME_MS);
  return (mark) => {
    running.delete(shown);
    if (running.size === 0) timer = clearInterval(timer);
    draw(`${mark} ${title} (${seconds(started)})`);
  };
}

/** Draws the running steps anew, a line for each, below this line, if there is one. */
function draw(line) {
  const mark = SPINNER[Math.floor(Date.now() / FRAME_MS) % SPINNER.length];
  const width = (process.stderr.columns || 80) - 1; // a line that wraps could not be drawn anew
  const steps = [...running].map(({ title, started }) => `${mark} ${title} … ${seconds(started)}`.slice(0, width));
  const lines = line === undefined ? steps : [line, ...steps];
  process.stderr.write(`${drawn > 0 ? `\x1b[${drawn}A` : ''}\x1b[J${lines.map((text) => `${text}\n`).join('')}`);
  drawn = steps.length;
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
