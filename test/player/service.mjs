import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/lib/free-port.mjs';

const START_MS = 120_000;
const STOP_MS = 20_000;

/**
 * Starts a program of Node.js, where there is no file .env, and waits until `GET /health/ready` is 200.
 * @param {string} program
 * @param {Record<string, string>} settings its environment, in addition to PATH and HOME
 * @returns {Promise<{base: string, stop: () => Promise<void>}>}
 * @throws with the program's output if it ends, or is not ready in time
 */
export async function startService(program, settings) {
  const base = `http://127.0.0.1:${await freePort()}`;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings, PORT: new URL(base).port };
  const child = spawn(process.execPath, [program], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  try {
    await untilReady(child, base);
  } catch (error) {
    await stopChild(child);
    throw new Error(`${error.message}\n${output}`, { cause: error });
  }
  return { base, stop: () => stopChild(child) };
}

async function untilReady(child, base) {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    if (await isReady(base)) return;
    await sleep(100);
  }
  throw new Error('the service was not ready in time');
}

const isReady = (base) =>
  fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(overdue);
}
