/**
 * A small OpenTelemetry collector: it understands what an exporter sends to `/v1/traces` by OTLP/HTTP with binary
 * protobuf, https://opentelemetry.io/docs/specs/otlp/#otlphttp.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export const SERVER = 2;
export const CLIENT = 3;

/** @returns a collector on a free loopback port. `spans` grows; `bytes` is everything that it has received */
export async function startCollector() {
  const collector = { url: '', spans: [], bytes: Buffer.alloc(0), stop: () => server.close() };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const message = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (!isTraces || request.headers['content-type'] !== 'application/x-protobuf') return response.writeHead(400).end();
    collector.bytes = Buffer.concat([collector.bytes, message]);
    collector.spans.push(...spansOf(message));
    // An empty ExportTraceServiceResponse: everything was accepted.
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  collector.url = `http://127.0.0.1:${server.address().port}`;
  return collector;
}

/** Reads an ExportTraceServiceRequest; the numbers are those of the fields in opentelemetry/proto/trace/v1/trace.proto. */
function* spansOf(message) {
  for (const resourceSpans of read(message).all(1)) {
    const resource = attributesOf(resourceSpans.one(1), 1);
    for (const scopeSpans of resourceSpans.all(2)) {
      for (const span of scopeSpans.all(2)) {
        yield {
          traceId: span.bytes(1).toString('hex'),
          spanId: span.bytes(2).toString('hex'),
          parentSpanId: span.bytes(4).toString('hex'),
          name: span.bytes(5).toString(),
          kind: span.number(6),
          attributes: attributesOf(span, 9),
          resource,
        };
      }
    }
  }
}

/** Attributes whose value is a text. */
function attributesOf(message, field) {
  return Object.fromEntries(
    message.all(field).map((pair) => [pair.bytes(1).toString(), pair.one(2).bytes(1).toString()]),
  );
}

/** A message of protobuf: its fields by number, https://protobuf.dev/programming-guides/encoding/. */
function read(message) {
  const fields = [];
  for (let at = 0; at < message.length;) {
    const [tag, start] = varint(message, at);
    const [value, next] = valueOf(message, tag & 7, start);
    fields.push({ number: tag >> 3, value });
    at = next;
  }
  const values = (number) => fields.filter((field) => field.number === number).map(({ value }) => value);
  const bytes = (number) => values(number).find(Buffer.isBuffer) ?? Buffer.alloc(0);
  return {
    bytes,
    number: (number) => values(number)[0],
    one: (number) => read(bytes(number)),
    all: (number) => values(number).map(read),
  };
}

/** @returns the value, and where the next field begins */
function valueOf(message, type, start) {
  if (type === 0) return varint(message, start);
  if (type === 1) return [message.readBigUInt64LE(start), start + 8];
  if (type === 5) return [message.readUInt32LE(start), start + 4];
  if (type !== 2) throw new Error(`protobuf has no type ${type}`);
  const [length, from] = varint(message, start);
  return [message.subarray(from, from + length), from + length];
}

function varint(message, start) {
  let value = 0;
  for (let at = start, factor = 1; ; at += 1, factor *= 128) {
    const byte = message[at];
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at + 1];
  }
}
