/** Runs the commands of docs/operating.md that start the service with OpenTelemetry, and checks what a collector gets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { freePort } from '../lib/free-port.mjs';
import { ROOT } from '../lib/paths.mjs';
import { endTool } from '../lib/processes.mjs';
import { SetupError } from '../lib/steps.mjs';

/** Time limit for the installation and the start (ms), and for the spans. */
const START_MS = 120_000;
const SPANS_MS = 20_000;
const ENDPOINT = 'http://collector.example:4318';
const PASSWORD = 'a passphrase that no span contains';
const SETTINGS = {
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0' },
  ...{ ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@roster.example', ADMIN_PASSWORD: PASSWORD },
  // The collector of this check reads JSON.
  ...{ OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
};

export async function checkTraces() {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-opentelemetry-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: () => undefined });
  const collector = await startCollector();
  const service = await start(collector.url, { MONGODB_URI: database.uri, DATA_DIR: dataDir });
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

/** Starts what understands OTLP/HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp. */
async function startCollector() {
  const received = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') received.push(await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spans = () =>
    received.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, resource }))),
      ),
    );
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, spans, received: () => received.join('\n'), stop: () => server.close() };
}

/** The first block of commands after the title of the paragraph. */
function commands() {
  const page = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const [, block] = /\*\*Traces\.\*\*.*?```bash\n(.*?)```/s.exec(page) ?? [];
  assert.ok(block?.includes(ENDPOINT), `docs/operating.md shows how to send traces to ${ENDPOINT}`);
  return block;
}

async function start(endpoint, env) {
  const port = await freePort();
  const child = spawn('bash', ['-ec', commands().replace(ENDPOINT, endpoint)], {
    cwd: ROOT,
    env: { ...process.env, ...SETTINGS, ...env, PORT: String(port), JWT_SECRET: randomBytes(32).toString('hex') },
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
  const isReady = () =>
    fetch(`${service.url}/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await until(START_MS, 'the service is ready', service, isReady);
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { 'Content-Type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` };
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const response = await fetch(`${service.url}/sessions`, { method: 'POST', headers, body });
  const { accessToken, refreshToken } = (await response.json()).data;

  const [SERVER, CLIENT] = [2, 3];
  const ours = (kind) => collector.spans().filter((span) => span.traceId === traceId && span.kind === kind);
  const hasSpans = () => ours(SERVER).length > 0 && ours(CLIENT).length > 1;
  await until(SPANS_MS, 'the collector has the spans', service, hasSpans);
  assert.equal(ours(SERVER).length, 1);
  const [span] = ours(SERVER);
  assert.equal(span.parentSpanId, spanId);
  assert.equal(attribute(span.resource, 'service.name'), 'roster');
  for (const command of ours(CLIENT)) {
    assert.equal(attribute(command, 'db.system.name'), 'mongodb');
    assert.equal(command.parentSpanId, span.spanId);
  }
  for (const secret of [PASSWORD, accessToken, refreshToken]) assert.ok(!collector.received().includes(secret));
  const lines = (service.output().match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));
  const logged = lines.filter((line) => line.trace_id === traceId);
  assert.ok(
    logged.some(({ event }) => event === 'login'),
    'the line of the login has the trace id',
  );
  assert.equal(logged.find(({ path }) => path === '/sessions')?.traceId, traceId);
}

function attribute({ attributes }, name) {
  return attributes.find(({ key }) => key === name)?.value.stringValue;
}

async function until(milliseconds, what, service, condition) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (!service.isRunning()) throw new Error('The service ended.');
    if (Date.now() > end) throw new Error(`Not within ${milliseconds / 1000} s: ${what}.`);
    await sleep(100);
  }
}
