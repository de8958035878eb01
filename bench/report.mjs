/** The tables that a run prints. */
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { median, ratio } from './figures.mjs';
import { memory } from './process-usage.mjs';

/** A service that uses less of one processor than this waits for something else. */
const BUSY = 0.8;

const WAITING =
  `some service used less than ${BUSY} processors: it waited for the database, or other programs were using the ` +
  'machine.\nCompare CPU there, not requests per second.';

const integer = (value) => Math.round(value).toLocaleString('en');
const decimal = (value) => value.toFixed(value < 10 ? 2 : 1);

/** What the figures depend on, and how they were taken. */
export function machine(how, isEmbedded) {
  const { model } = cpus()[0] ?? { model: 'unknown' };
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return [
    `${type()} ${release()} ${arch()}, ${availableParallelism()} × ${model}, ${memoryGb} GB; Node.js ${process.versions.node}`,
    `load average at the start ${loadavg()[0]?.toFixed(1)}; database: ${isEmbedded ? 'embedded' : 'MONGODB_URI'}`,
    how,
  ].join('\n');
}

/**
 * One table per case.
 *
 * @param {string} title
 * @param {import('./services.mjs').Service[]} services
 * @param {import('./measure.mjs').Rounds} rounds
 */
export function caseTable(title, services, rounds) {
  const head = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPUs', 'database', 'Roster: CPU ×', 'req/s ×', 'p50 ×'];
  const rows = services.map(({ name, definition }) => {
    const of = (figure) => median(rounds[name].map((figures) => figures[figure] ?? NaN));
    const numbers = [integer(of('rps')), decimal(of('p50')), decimal(of('p99')), integer(of('cpu'))];
    const ratios = ['cpu', 'rps', 'p50'].map((figure) =>
      name === 'roster' ? '' : spread(ratio(rounds, name, figure)),
    );
    return [definition.title, ...numbers, processors(of('busy')), processors(of('database')), ...ratios];
  });
  return `\n${title}\n${table([head, ...rows])}`;
}

/** @param {{service: import('./services.mjs').Service, share: number, rate: number, figures: object}[]} rows */
export function openLoopTable(rows) {
  const head = ['', 'of capacity', 'sent/s', 'responses/s', 'p50 ms', 'p99 ms', 'CPU µs'];
  const lines = rows.map(({ service, share, rate, figures: { rps, p50, p99, cpu } }) => {
    const numbers = [integer(rate), integer(rps), decimal(p50), decimal(p99), integer(cpu)];
    return [service.definition.title, `${share * 100} %`, ...numbers];
  });
  return `\nR1 GET one Organization, constant rate; times count from when a request was due\n${table([head, ...lines])}`;
}

/**
 * @param {import('./services.mjs').Service[]} services
 * @param {Record<string, number[]>} starts in milliseconds, by service
 */
export function processTable(services, starts) {
  const rows = services.map(({ name, pid, definition }) => {
    const { rss, peak } = memory(pid);
    return [definition.title, integer(median(starts[name])), integer(rss), integer(peak)];
  });
  return `\nProcesses\n${table([['', 'start ms', 'RSS MiB', 'peak MiB'], ...rows])}`;
}

/** What the columns mean, and where requests per second say little about a service. */
export function notes(loaded) {
  const isWaiting = (figures) => median(figures.map(({ busy }) => busy)) < BUSY;
  const waiting = Object.keys(loaded).filter((name) => Object.values(loaded[name]).some(isWaiting));
  return [
    '\nCPU µs: of the service alone per request, in user and system mode, all threads. CPUs, database: processors used.',
    'Ratios: Roster divided by the peer, median of the rounds (lowest–highest). CPU and p50: below 1, Roster is better.',
    ...(waiting.length > 0 ? [`In ${waiting.join(', ')}, ${WAITING}`] : []),
  ].join('\n');
}

function processors(used) {
  return Number.isNaN(used) ? '' : used.toFixed(2);
}

function spread({ median: middle, min, max }) {
  const [text, low, high] = [middle, min, max].map((value) => value.toFixed(2));
  return low === high ? text : `${text} (${low}–${high})`;
}

/** Aligns the first column left and the others right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n');
}
