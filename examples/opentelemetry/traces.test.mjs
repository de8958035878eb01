/** Runs the commands of docs/operating.md that start the service with OpenTelemetry, and checks what a collector gets. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';

/** Time limit for each thing that is waited for (ms). */
const LIMIT_MS = 20_000;
const ENDPOINT = 'http://collector.example:4318';
const [SERVER, CLIENT] = [2, 3];
const SETTINGS = {
  ...{ NODE_ENV: 'production', MANAGEMENT_PORT: '0', SHUTDOWN_DELAY_MS: '0', LOG_LEVEL: 'info' },
  JWT_SECRET: randomBytes(32).toString('hex'),
  // For `npm ci`: the packages have been downloaded before.
  npm_config_prefer_offline: 'true',
  // The collector of this test reads JSON.
  ...{ OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
};

test('a request becomes spans and log lines of its trace, without secrets', async (t) => {
  const collector = await startCollector();
  t.after(collector.stop);
  const { address, program, stop } = await startOwnService({ ...process.env, ...SETTINGS }, script(collector.url));
  t.after(stop);
  await until('the service is ready', async () => (await fetch(`${address}/health/ready`)).ok);
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const headers = { 'Content-Type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` };
  const body = JSON.stringify({ username: ADMIN.username, password: ADMIN.password });
  const response = await fetch(`${address}/sessions`, { method: 'POST', headers, body });
  const { accessToken, refreshToken } = (await response.json()).data;

  const ours = (kind) => collector.spans().filter((span) => span.traceId === traceId && span.kind === kind);
  await until('the collector has the spans', () => ours(SERVER).length > 0 && ours(CLIENT).length > 1);
  assert.equal(ours(SERVER).length, 1);
  const [span] = ours(SERVER);
  assert.equal(span.parentSpanId, spanId);
  assert.equal(attribute(span.resource, 'service.name'), 'roster');
  for (const command of ours(CLIENT)) {
    assert.equal(attribute(command, 'db.system.name'), 'mongodb');
    assert.equal(command.parentSpanId, span.spanId);
  }
  for (const secret of [ADMIN.password, accessToken, refreshToken]) assert.ok(!collector.received().includes(secret));
  const lines = (program.output.match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));
  const logged = lines.filter((line) => line.trace_id === traceId);
  assert.ok(logged.some(({ event }) => event === 'login'));
  assert.equal(logged.find(({ path }) => path === '/sessions')?.traceId, traceId);
});

/** Starts what understands OTLP/HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp. */
async function startCollector() {
  const received = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') received.push(await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resources = () => received.flatMap((body) => JSON.parse(body).resourceSpans);
  const spansOf = ({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, resource })));
  const url = `http://127.0.0.1:${server.address().port}`;
  const stop = () => server.close();
  return { url, spans: () => resources().flatMap(spansOf), received: () => received.join('\n'), stop };
}

/** The first block of commands after the title of the paragraph. */
function script(endpoint) {
  const page = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const [, commands] = /\*\*Traces\.\*\*.*?```bash\n(.*?)```/s.exec(page) ?? [];
  assert.ok(commands?.includes(ENDPOINT), `docs/operating.md shows how to send traces to ${ENDPOINT}`);
  // The service takes the place of the shell, so it gets the signal.
  return commands.replace(ENDPOINT, endpoint).replace(/^node /m, 'exec node ');
}

function attribute({ attributes }, name) {
  return attributes.find(({ key }) => key === name)?.value.stringValue;
}

async function until(what, condition) {
  for (const end = Date.now() + LIMIT_MS; !(await condition()); await sleep(100))
    if (Date.now() > end) throw new Error(`Not within ${LIMIT_MS / 1000} s: ${what}.`);
}
