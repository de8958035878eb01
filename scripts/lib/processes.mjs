import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './paths.mjs';
import { SetupError } from './steps.mjs';

let whenToolStarts = () => undefined;

/** How often it is looked whether npm still runs, in milliseconds. */
const PARENT_POLL_MS = 500;
/** What ends a command from outside. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How many lines of a failed command's output are shown from its beginning, and from its end. */
const SHOWN_LINES = 12;

/**
 * Runs a tool quietly; its output is shown only if it fails. It gets a process group of its own and ends with this
 * process: npm goes on for many seconds after a polite signal, and the next run must not meet it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, timeoutMs?: number}} [options]
 * @returns {Promise<string>} what it wrote, stdout and stderr together
 * @throws {SetupError} when it cannot be run or fails
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      timeout: options.timeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const end = () => endTool(child.pid);
    process.once('exit', end);
    whenToolStarts(child.pid);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => reject(new SetupError(`${command} cannot be run: ${error.message}`)));
    child.on('close', (code, signal) => {
      process.off('exit', end);
      if (code === 0) return resolve(output);
      reject(new SetupError(`${shorten(output)}\n\n${[command, ...args].join(' ')}: ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** @param {number | undefined} pid a tool, which is ended with all that it has started */
export function endTool(pid) {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** @param {(pid: number | undefined) => void} listener is told of each tool */
export function onTool(listener) {
  whenToolStarts = listener;
}

/**
 * Runs a program in this terminal until it ends.
 *
 * Ctrl-C reaches it directly, since the terminal signals the whole group; this process only waits. A signal that comes
 * to this process alone (a supervisor's SIGTERM, an SIGINT where there is no terminal) is handed on, once: npm relays
 * what the group has had already. SIGTERM to npm ends npm and the shell between, but never gets here: that the shell
 * is gone counts as SIGTERM.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {object} [options]
 * @param {Record<string, string>} [options.env] variables in addition to this process's own
 * @param {(child: import('node:child_process').ChildProcess) => void} [options.onStart]
 * @returns {Promise<number>} its exit code; 128 + n after signal n, as shells have it
 */
export function run(command, args, { env = {}, onStart = () => undefined } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('spawn', () => onStart(child));
    const handed = new Set();
    const handOn = (signal) => {
      if (handed.has(signal) || (signal === 'SIGINT' && process.stdin.isTTY)) return;
      handed.add(signal);
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, handOn);
    const watch = watchNpm(() => handOn('SIGTERM'));
    child.on('error', (error) => reject(new SetupError(`${command} cannot be run: ${error.message}`)));
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of SIGNALS) process.off(name, handOn);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Some tools name the problem first and explain themselves at length, others name it last. */
function shorten(output) {
  const lines = output.trim().split('\n');
  if (lines.length <= 2 * SHOWN_LINES) return lines.join('\n');
  return [...lines.slice(0, SHOWN_LINES), '…', ...lines.slice(-SHOWN_LINES)].join('\n');
}

/** @returns {NodeJS.Timeout | undefined} */
function watchNpm(whenGone) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) whenGone();
  }, PARENT_POLL_MS);
}
