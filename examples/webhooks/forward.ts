/**
 * Forwards the Events of Roster, or of one Organization, to a webhook, in their order: follows GET /events, or
 * GET /organizations/:id/events, from where it stopped, and posts each Event as a CloudEvent, signed as Standard Webhooks says, until the receiver acknowledges it. README.md has the settings.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { RosterClient, RosterError, type Schemas } from '@roster/client';
import { Webhook } from 'standardwebhooks';

type Event = Schemas['AuditEvent'];
/** An Event appears at most this much later than newer ones (ms; docs/contract.md, Event). */
const LATE = 60_000;
/** Exit codes: another start may help, or somebody has to do something first. */
const [AGAIN, NEVER] = [1, 2];

const WEB_ADDRESS = /^https?:\/\/[^\s/?#@]+(?:[/?]\S*)?$/i;
/** 24 to 64 bytes: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. */
const SECRET = /^whsec_(?=.{32,88}$)(?:[0-9a-z+/]{4})*(?:[0-9a-z+/]{2}==|[0-9a-z+/]{3}=)?$/i;
const ROSTER = setting('ROSTER', 'an http or https URL', WEB_ADDRESS);
const ROSTER_KEY = setting('ROSTER_KEY', 'an API key (roster_…)', /^roster_[0-9a-z]{49}$/i);
const WEBHOOK_URL = setting('WEBHOOK_URL', 'an http or https URL', WEB_ADDRESS);
const WEBHOOK_SECRET = setting('WEBHOOK_SECRET', 'whsec_ and 24 to 64 bytes in base64', SECRET);
const ORGANIZATION = setting('ORGANIZATION', 'the id of an Organization, or not at all', /^(?:[0-9a-f]{24})?$/, '');
const STATE_FILE = setting('STATE_FILE', 'a file', /./, 'acknowledged.txt');
const SINCE = setting('SINCE', 'a date like 2026-03-16', /^\d{4}-(?:0\d|1[0-2])-[0-3]\d$/, '1970-01-01');
const [POLL_SECONDS, TIMEOUT_SECONDS] = [number('POLL_SECONDS', '5'), number('TIMEOUT_SECONDS', '10')];
const [RETRY_SECONDS, ATTEMPTS] = [number('RETRY_SECONDS', '1'), number('ATTEMPTS', '10')];

const timeout = () => AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
const reasonOf = ({ message, cause }: Error) => (cause instanceof Error ? `${message} (${cause.message})` : message);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
const webhook = new Webhook(WEBHOOK_SECRET);
const fetchInTime = (request: Request) => fetch(request, { signal: timeout() });
const roster = new RosterClient({ baseUrl: ROSTER, key: ROSTER_KEY, retries: 0, fetch: fetchInTime });

/** The acknowledged Events of the last minute, by id, with their times. STATE_FILE has a line for each. */
const acknowledged = withState(readState);
let newest = [...acknowledged.values()].sort().at(-1);
/** When the newest was acknowledged, and when the last complete read began (ms since the start). */
let [newestAt, readAt] = [performance.now(), 0];
for (;;) {
  if (newestAt > readAt) withState(writeState);
  await forwardNew();
  await pause(POLL_SECONDS);
}

/** Reads from a minute before the newest Event, as long as older ones can still appear. So it ends after half a minute. */
async function forwardNew(): Promise<void> {
  const startedAt = performance.now();
  const since = newest === undefined ? SINCE : readAt - newestAt > LATE ? newest : minuteBefore(newest);
  try {
    for await (const event of eventsSince(since)) {
      if (acknowledged.has(event._id)) continue;
      await deliver(event);
      withState(() => appendFileSync(STATE_FILE, `${event._id} ${event.createdAt}\n`, { flush: true }));
      acknowledged.set(event._id, event.createdAt);
      if (newest === undefined || event.createdAt > newest) [newest, newestAt] = [event.createdAt, performance.now()];
      if (stopping.signal.aborted) process.exit();
      if (performance.now() - startedAt > LATE / 2) return;
    }
    readAt = startedAt;
  } catch (error) {
    const isRefused = error instanceof RosterError && [400, 401, 403, 404].includes(error.status);
    if (isRefused) end(`Check ROSTER, ROSTER_KEY, ORGANIZATION and SINCE: ${error.message}`, NEVER);
    console.error(`Roster: ${reasonOf(error as Error)}`);
  }
}

function eventsSince(since: string): AsyncIterable<Event> {
  const query = { sort: '_id', limit: 100, since } as const;
  if (!ORGANIZATION) return roster.list('/events', { params: { query } });
  return roster.list('/organizations/{id}/events', { params: { path: { id: ORGANIZATION }, query } });
}

/** Returns when the receiver has acknowledged the Event. */
async function deliver(event: Event): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const problem = await post(event);
    if (problem === undefined) return;
    const what = `${event._id} ${event.type}, attempt ${attempt} of ${ATTEMPTS}: ${problem}`;
    if (problem === 410) end(`WEBHOOK_URL: the receiver wants no more Events. ${what}`, NEVER);
    if (attempt >= ATTEMPTS) end(`The receiver does not acknowledge an Event. ${what}`, AGAIN);
    console.error(what);
    await pause(Math.min(RETRY_SECONDS * 2 ** (attempt - 1), 300));
  }
}

/** @returns why the receiver has not acknowledged the Event: a status, or what went wrong; `undefined` if it has */
async function post(event: Event): Promise<number | string | undefined> {
  const { _id: id, resourceId: subject, createdAt: time } = event;
  const attributes = { specversion: '1.0', id, source: ROSTER, type: `roster.${event.type}`, subject, time };
  const body = JSON.stringify({ ...attributes, datacontenttype: 'application/json', data: event });
  const sentAt = new Date();
  const headers = {
    'Content-Type': 'application/cloudevents+json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, sentAt, body),
  };
  const request = { method: 'POST', headers, body, redirect: 'manual', signal: timeout() } as const;
  try {
    const response = await fetch(WEBHOOK_URL, request);
    await response.body?.cancel();
    return response.ok ? undefined : response.status;
  } catch (error) {
    return reasonOf(error as Error);
  }
}

/** @returns the lines of STATE_FILE without the last, if the program was killed while it wrote that */
function readState(): Map<string, string> {
  const lines = existsSync(STATE_FILE) ? readFileSync(STATE_FILE, 'utf8').split('\n').slice(0, -1) : [];
  const isBroken = lines.some((line) => !/^[0-9a-f]{24} \d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(line));
  if (isBroken) end(`STATE_FILE: ${STATE_FILE} has a line that is not an id and a time.`, NEVER);
  return new Map(lines.map((line) => [line.slice(0, 24), line.slice(25)]));
}

/** Drops the Events that are not read again. */
function writeState(): void {
  for (const [id, time] of acknowledged) if (time < minuteBefore(newest!)) acknowledged.delete(id);
  const lines = [...acknowledged].map((entry) => `${entry.join(' ')}\n`);
  writeFileSync(`${STATE_FILE}.new`, lines.join(''), { flush: true });
  renameSync(`${STATE_FILE}.new`, STATE_FILE);
}

function withState<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return end(`STATE_FILE: ${reasonOf(error as Error)}`, NEVER);
  }
}

function minuteBefore(time: string): string {
  return new Date(Date.parse(time) - LATE).toISOString();
}

function setting(name: string, what: string, pattern: RegExp, fallback?: string): string {
  const value = env[name] || fallback;
  return value !== undefined && pattern.test(value) ? value : end(`${name} must be set to ${what}.`, NEVER);
}

function number(name: string, fallback: string): number {
  return Number(setting(name, 'a number from 0.001 to 99999', /^(?!0*\.?0*$)\d{1,5}(?:\.\d{1,3})?$/, fallback));
}

async function pause(seconds: number): Promise<void> {
  await wait(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => process.exit());
}

function end(message: string, exitCode: number): never {
  console.error(message);
  return process.exit(exitCode);
}
