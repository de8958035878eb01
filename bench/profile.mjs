/** Which layer the CPU time of a request goes to, by V8's sampling profiler. Roster only. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from '../scripts/lib/paths.mjs';
import { say } from '../scripts/lib/steps.mjs';
import { Bench } from './bench.mjs';
import { machine, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

/** Node.js profiles the service and writes the profile when it ends. The interval: time between two samples (µs). */
const PROFILER = ['--cpu-prof', '--cpu-prof-interval=500', '--cpu-prof-name=profile.json'];

const packages = (...names) => new RegExp(`/node_modules/(${names.join('|')})`);

const IDLE = 'idle';
const NATIVE = 'native code outside functions';
/** Layers by the file and the name of a function; the first that fits. A native function belongs to the layer that calls it. */
const LAYERS = [
  ['JSON', /(fastify\/lib\/reply\.js serialize|\/http\/body\/json\.js .*)$/],
  ['Roster', { test: (text) => text.includes(`${DIST}/`) }],
  ['Node.js', /^node:/],
  ['Fastify', packages('fastify', '@fastify/', 'find-my-way', 'secure-json-parse', 'fast-', 'avvio')],
  ['Nest, RxJS, Passport', packages('@nestjs/', 'rxjs', 'passport', 'reflect-metadata')],
  ['driver, bson, mongoose', packages('mongodb', 'bson', 'mongoose', 'mpath', 'kareem', 'sift')],
  ['class-validator, class-transformer', packages('class-', 'validator')],
  ['log', packages('pino', 'sonic-boom', 'thread-stream', 'safe-stable', 'quick-format')],
  ['other packages', /\/node_modules\//],
  // Functions of V8, which have no file.
  ['garbage collection', /^ \(garbage collector\)$/],
  [NATIVE, /^ \(program\)$/],
  [IDLE, /^ \(idle\)$/],
];

export async function measure({ options, print, ...run }) {
  const { cases, connections, seconds } = options;
  const about = machine(`${seconds} s each; µs of the main thread per request`);
  const bench = await Bench.start(run);
  const columns = [];
  for (const count of [connections, 1]) {
    for (const one of cases) {
      say(`· ${one.name} ${one.title}, ${count === 1 ? 'one connection' : `${count} connections`}`);
      columns.push({ title: `${one.name}, ${count}`, times: await profileCase(bench, one, count, options) });
    }
  }
  print(`\n${about}\n\n${layerTable(columns)}`);
}

/** @returns {Promise<Map<string, number>>} µs per request, by layer */
async function profileCase(bench, one, connections, { seconds, warmUpSeconds }) {
  const service = await startService({ ...ROSTER, flags: [...ROSTER.flags, ...PROFILER] }, bench.run);
  await bench.measure(service, one, { connections, seconds: warmUpSeconds });
  const began = process.hrtime();
  const { rps } = await bench.measure(service, one, { connections, seconds });
  const ended = process.hrtime();
  await service.stop();
  const profile = JSON.parse(readFileSync(join(bench.run.folder, 'profile.json'), 'utf8'));
  const times = timesByLayer(profile, ...[began, ended].map(([whole, nano]) => whole * 1e6 + nano / 1e3));
  return new Map([...times].map(([layer, time]) => [layer, time / (rps * seconds)]));
}

/**
 * Self times (µs) between two times of the monotonic clock (µs).
 *
 * @param profile of the Chrome DevTools Protocol: Profiler.Profile
 */
function timesByLayer({ nodes, samples, timeDeltas, startTime }, began, ended) {
  const layers = layersOf(nodes);
  const times = new Map();
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    time += timeDeltas[index];
    const layer = layers.get(id);
    if (layer === IDLE || time < began || time > ended) continue;
    // The time until the next sample.
    times.set(layer, (times.get(layer) ?? 0) + (timeDeltas[index + 1] ?? 0));
  }
  return times;
}

/** The layer of each node of the call tree, whose root comes first. */
function layersOf(nodes) {
  const layers = new Map();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  for (const { id, callFrame } of nodes) {
    const { functionName, url } = callFrame;
    const found = LAYERS.find(([, functions]) => functions.test(`${url} ${functionName}`))?.[0];
    layers.set(id, found ?? layers.get(parents.get(id)) ?? NATIVE);
  }
  return layers;
}

function layerTable(columns) {
  const names = LAYERS.map(([name]) => name).filter((name) => name !== IDLE);
  const row = (title, timeOf) => [title, ...columns.map(({ times }) => timeOf(times).toFixed(0))];
  const rows = names.map((name) => row(name, (times) => times.get(name) ?? 0));
  const total = row('all', (times) => [...times.values()].reduce((sum, time) => sum + time, 0));
  return table([['case, connections', ...columns.map(({ title }) => title)], ...rows, total]);
}
