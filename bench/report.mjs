/** The tables that a run prints. */
import { execFileSync } from 'node:child_process';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { memory } from './process-usage.mjs';

const integer = (value) => Math.round(value).toLocaleString('en');
const decimal = (value) => value.toFixed(value < 10 ? 2 : 1);

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** The median, and the lowest and the highest value. */
function spreadOf(values) {
  const [text, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((one) => one.toFixed(2));
  return low === high ? text : `${text} (${low}–${high})`;
}

/** What the figures depend on, and how they were taken. */
export function machine(how) {
  const { model } = cpus()[0] ?? { model: 'unknown' };
  // That of the services: an older one may run this.
  const node = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return [
    `${type()} ${release()} ${arch()}, ${availableParallelism()} × ${model}, ${memoryGb} GB; Node.js ${node}`,
    `load average at the start ${loadavg()[0]?.toFixed(1)}; database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}`,
    how,
  ].join('\n');
}

export function caseTable({ name: caseName, title }, how, services, rounds) {
  const head = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Roster: CPU ×', 'req/s ×', 'p50 ×'];
  const rows = services.map((service) => {
    const measured = rounds[service.name];
    const of = (figure) => median(measured.map((figures) => figures[figure]));
    // Roster's figures divided by a peer's, round by round.
    const ratios = (figure) => rounds.roster.map((own, round) => own[figure] / measured[round][figure]);
    const spread = (figure) => (service.name === 'roster' ? '' : spreadOf(ratios(figure)));
    const numbers = [integer(of('rps')), decimal(of('p50')), decimal(of('p99')), integer(of('cpu'))];
    return [service.title, ...numbers, ...['cpu', 'rps', 'p50'].map(spread)];
  });
  return `\n${caseName} ${title}, ${how}\n${table([head, ...rows])}`;
}

export function processTable(services, starts) {
  const rows = services.map(({ name, pid, title }) => {
    const { rss, peak } = memory(pid);
    return [title, ...[median(starts[name]), rss, peak].map(integer)];
  });
  return `\nProcesses\n${table([['', 'start ms', 'RSS MiB', 'peak MiB'], ...rows])}`;
}

/** Aligns the first column left and the others right. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n');
}
