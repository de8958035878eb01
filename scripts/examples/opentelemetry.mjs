/** Runs the commands of docs/operating.md that start the service with OpenTelemetry, and checks what a collector gets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { freePort } from '../lib/free-port.mjs';
import { ROOT } from '../lib/paths.mjs';
import { endTool } from '../lib/processes.mjs';
import { SetupError } from '../lib/steps.mjs';
import { CLIENT, SERVER, startCollector } from './otlp.mjs';

/** Time limit for the installation and the start (ms), and for the spans. */
const START_MS = 120_000;
const SPANS_MS = 20_000;
const ENDPOINT = 'http://collector.example:4318';
const PASSWORD = 'a passphrase that no span contains';

/** @param {string} node the Node.js to use */
export async function checkTraces(node) {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-opentelemetry-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: () => undefined });
  const collector = await startCollector();
  const service = await start(node, collector.url, { MONGODB_URI: database.uri, DATA_DIR: dataDir });
  try {
    await checkTrace(service, collector);
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${service.output()}`);
  } finally {
    await service.stop();
    collector.stop();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The first block of commands after the title of the paragraph. */
function commands() {
  const text = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const [, block] = /\*\*Traces\.\*\*.*?```bash\n(.*?)```/s.exec(text) ?? [];
  assert.ok(block?.includes(ENDPOINT), `docs/operating.md shows how to send traces to ${ENDPOINT}`);
  return block;
}

async function start(node, endpoint, env) {
  const port = await freePort();
  const settings = {
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0' },
    ...{ JWT_SECRET: randomBytes(32).toString('hex'), OTEL_BSP_SCHEDULE_DELAY: '100' },
    ...{ ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@roster.example', ADMIN_PASSWORD: PASSWORD },
  };
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const child = spawn('bash', ['-ec', commands().replace(ENDPOINT, endpoint)], {
    cwd: ROOT,
    env: { ...process.env, ...settings, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => endTool(child.pid);
  process.once('exit', end);
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const stop = async () => {
    // To the service too: bash waits for it.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await closed;
    process.off('exit', end);
  };
  const url = `http://127.0.0.1:${port}`;
  return { url, output: () => output, stop, isRunning: () => child.exitCode === null };
}

async function checkTrace(service, collector) {
  await until(START_MS, 'the service is ready', service, () => isReady(service.url));
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { 'Content-Type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` };
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const response = await fetch(`${service.url}/sessions`, { method: 'POST', headers, body });
  const { accessToken, refreshToken } = (await response.json()).data;
  assert.equal(response.status, 201);

  const ours = (kind) => collector.spans.filter((span) => span.traceId === traceId && span.kind === kind);
  await until(
    SPANS_MS,
    'the collector has the spans',
    service,
    () => ours(SERVER).length > 0 && ours(CLIENT).length > 1,
  );
  assert.equal(ours(SERVER).length, 1);
  const [span] = ours(SERVER);
  assert.equal(span.parentSpanId, spanId);
  assert.equal(span.resource['service.name'], 'roster');
  for (const { attributes, parentSpanId } of ours(CLIENT)) {
    assert.equal(attributes['db.system.name'], 'mongodb');
    assert.equal(parentSpanId, span.spanId);
  }
  for (const secret of [PASSWORD, accessToken, refreshToken]) assert.ok(!collector.bytes.includes(secret));
  const lines = service.output().match(/^\{.*\}$/gm) ?? [];
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === traceId);
  assert.ok(
    logged.some(({ event }) => event === 'login'),
    'the line of the login has the trace id',
  );
  assert.equal(logged.find(({ path }) => path === '/sessions')?.traceId, traceId);
}

function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function until(milliseconds, what, service, condition) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (!service.isRunning()) throw new Error('The service ended.');
    if (Date.now() > end) throw new Error(`Not within ${milliseconds / 1000} s: ${what}.`);
    await sleep(100);
  }
}
