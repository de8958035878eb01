import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns {Promise<number>} a TCP port that was free a moment ago */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a program, where there is no file .env to read, and waits until `GET /health/ready` answers 200.
 * @param {readonly string[]} command program and arguments
 * @param {Record<string, string>} settings environment beside PATH and HOME
 * @param {number} [patience] how long to wait, in ms
 * @returns {Promise<{base: string, output: () => string, stop: (signal?: NodeJS.Signals) => Promise<number | null>}>}
 * @throws with the program's output when it ends, or is not ready in time
 */
export async function startService(command, settings, patience = 120_000) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings, PORT: String(port) };
  const child = spawn(command[0], command.slice(1), { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (text = (text + chunk).slice(-20_000)));
  const base = `http://127.0.0.1:${port}`;
  const stop = () => stopChild(child);
  try {
    await untilReady(child, base, Date.now() + patience);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${text}`, { cause: error });
  }
  return { base, output: () => text, stop: (signal) => stopChild(child, signal) };
}

async function untilReady(child, base, deadline) {
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    if (await isReady(base)) return;
    await sleep(250);
  }
  throw new Error('the service was not ready in time');
}

async function isReady(base) {
  try {
    const { status } = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    return status === 200;
  } catch {
    return false;
  }
}

async function stopChild(child, signal = 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await Promise.race([once(child, 'exit'), sleep(20_000).then(() => child.kill('SIGKILL'))]);
  }
  return child.exitCode;
}
