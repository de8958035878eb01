import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { ROOT } from './paths.mjs';
import { handleSignals, SetupError } from './steps.mjs';
import { signalProcess } from '../../tools/embedded-database/processes.mjs';

/** How often to check whether npm still runs (ms). */
const PARENT_POLL_MS = 500;

/**
 * Runs a tool and shows its output only if it fails. It gets its own process group and is killed when this process
 * exits: npm continues for many seconds after SIGTERM, and must not run into the next command.
 *
 * @param {{cwd?: string, env?: Record<string, string>}} [options]
 * @returns {Promise<string>} what it wrote, stdout and stderr together
 */
export async function capture(command, args, { cwd = ROOT, env } = {}) {
  const options = { cwd, env: { ...process.env, ...env }, detached: true };
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => child.pid && signalProcess(-child.pid, 'SIGKILL');
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code, signal] = await ended(child, 'close', command).finally(() => process.off('exit', end));
  if (code === 0) return output;
  throw new SetupError(`${output.trim()}\n\n${[command, ...args].join(' ')}: ${signal ?? `exit code ${code}`}`);
}

/**
 * Runs a program in this terminal until it ends. Ctrl-C reaches it directly. A signal to this process alone is passed on
 * once, because npm repeats signals that the group already got. SIGTERM to npm ends npm and the shell below it but does
 * not arrive here, so the end of the shell counts as SIGTERM.
 *
 * @returns {Promise<number>} its exit code; 128 + n after signal n, as in shells
 */
export async function run(command, args, { env = {}, onStart = () => undefined } = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  child.once('spawn', () => onStart(child));
  const passed = new Set();
  const passOn = (signal) => {
    if (passed.has(signal) || (signal === 'SIGINT' && process.stdin.isTTY)) return;
    passed.add(signal);
    child.kill(signal);
  };
  // Also after its end: a signal must not interrupt what is left to do then.
  handleSignals(passOn);
  const watch = watchNpm(() => passOn('SIGTERM'));
  const [code, signal] = await ended(child, 'exit', command).finally(() => clearInterval(watch));
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** Waits for the end of a program. @returns {Promise<[number | null, NodeJS.Signals | null]>} */
function ended(child, event, command) {
  return once(child, event).catch((error) => {
    throw new SetupError(`${command} cannot be run: ${error.message}`);
  });
}

function watchNpm(onEnd) {
  if (!process.env.npm_lifecycle_event) return undefined;
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) onEnd();
  }, PARENT_POLL_MS);
}
