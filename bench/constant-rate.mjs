/**
 * Sends requests at a constant rate, whether or not there are responses: `wrk` cannot. Arguments: port, requests per
 * second, seconds, and those of load.lua. A process of its own, so nothing else delays it; prints the result as JSON.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './client.mjs';

const [port, rate, seconds] = process.argv.slice(2, 5).map(Number);
const [requestsFile, tokensFile, firstNumber] = process.argv.slice(5);

const lines = (file) => readFileSync(file, 'utf8').trimEnd().split('\n');
const requests = lines(requestsFile).map((line) => line.split('\t'));
const tokens = lines(tokensFile);
const agent = new Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo' });

const total = Math.round(rate * seconds);
const times = [];
let errorStatuses = 0;
let socketErrors = 0;

/** @param {number} index @param {number} due when it should be sent; time that it waits here counts too */
async function sendOne(index, due) {
  const [method, path, template] = requests[index % requests.length];
  const body = template ? template.replaceAll('{n}', String(Number(firstNumber) + index)) : undefined;
  const token = tokens[index % tokens.length];
  try {
    const { status } = await send(port, { method, path, body, token }, agent);
    times.push(performance.now() - due);
    if (status >= 400) errorStatuses++;
  } catch {
    socketErrors++;
  }
}

/** @param {number} share of the sorted times that are at most as long */
function percentile(share) {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))];
}

const start = performance.now();
const pending = [];
while (pending.length < total) {
  const elapsed = performance.now() - start;
  const due = Math.min(total, Math.floor((elapsed / 1000) * rate) + 1);
  while (pending.length < due) pending.push(sendOne(pending.length, start + (pending.length / rate) * 1000));
  await delay(1);
}
await Promise.all(pending);
const measured = (performance.now() - start) / 1000;
agent.destroy();
times.sort((one, other) => one - other);
const result = { requests: times.length, seconds: measured, p50: percentile(0.5), p99: percentile(0.99) };
process.stdout.write(`${JSON.stringify({ ...result, errorStatuses, socketErrors })}\n`);
