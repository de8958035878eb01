/** Runs the commands of docs/operating.md that start the service with OpenTelemetry, and checks what a collector gets. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Program } from '../../test/support/program.mjs';
import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { ROOT } from '../lib/paths.mjs';
import { SetupError } from '../lib/steps.mjs';

/** Time limit for each thing that is waited for (ms). */
const LIMIT_MS = 20_000;
const ENDPOINT = 'http://collector.example:4318';
const PASSWORD = 'a passphrase that no span contains';
const SETTINGS = {
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0' },
  ...{ ADMIN_USERNAME: 'admin', ADMIN_EMAIL: 'admin@roster.example', ADMIN_PASSWORD: PASSWORD },
  // The collector of this check reads JSON.
  ...{ OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
};

export async function checkTraces() {
  const dataDir = mkdtempSync(join(tmpdir(), 'roster-opentelemetry-'));
  const database = await EmbeddedDatabase.start({ dataDir, log: () => undefined });
  const collector = await startCollector();
  const service = start(collector.url, { MONGODB_URI: database.uri, DATA_DIR: dataDir });
  const kill = () => void service.kill();
  process.once('exit', kill);
  try {
    await checkTrace(service, collector);
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${service.output}${service.errors}`);
  } finally {
    await service.stop();
    process.off('exit', kill);
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

function start(endpoint, env) {
  // The service takes the place of the shell, so it gets the signal.
  const script = commands()
    .replace(ENDPOINT, endpoint)
    .replace(/^node /m, 'exec node ');
  const own = { ...SETTINGS, ...env, JWT_SECRET: randomBytes(32).toString('hex') };
  return new Program(['-ec', script], { ...process.env, ...own }, ROOT, 'bash');
}

async function checkTrace(service, collector) {
  const [, url] = await service.wrote(/"address":"(http[^"]+)"/);
  await until('the service is ready', async () => (await fetch(`${url}/health/ready`)).ok);
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { 'Content-Type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` };
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const response = await fetch(`${url}/sessions`, { method: 'POST', headers, body });
  const { accessToken, refreshToken } = (await response.json()).data;

  const [SERVER, CLIENT] = [2, 3];
  const ours = (kind) => collector.spans().filter((span) => span.traceId === traceId && span.kind === kind);
  const hasSpans = () => ours(SERVER).length > 0 && ours(CLIENT).length > 1;
  await until('the collector has the spans', hasSpans);
  assert.equal(ours(SERVER).length, 1);
  const [span] = ours(SERVER);
  assert.equal(span.parentSpanId, spanId);
  assert.equal(attribute(span.resource, 'service.name'), 'roster');
  for (const command of ours(CLIENT)) {
    assert.equal(attribute(command, 'db.system.name'), 'mongodb');
    assert.equal(command.parentSpanId, span.spanId);
  }
  for (const secret of [PASSWORD, accessToken, refreshToken]) assert.ok(!collector.received().includes(secret));
  const lines = (service.output.match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));
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

async function until(what, condition) {
  for (const end = Date.now() + LIMIT_MS; !(await condition()); await sleep(100))
    if (Date.now() > end) throw new Error(`Not within ${LIMIT_MS / 1000} s: ${what}.`);
}
