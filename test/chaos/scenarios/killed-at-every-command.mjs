import { ROOT } from '../../../scripts/lib/paths.mjs';
import { Program } from '../lib/processes.mjs';

export const title = 'Every write is killed at each of its database commands (test/platform/records/all-or-nothing)';

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report }) {
  const args = [
    'test/platform/records/all-or-nothing',
    '--testNamePattern',
    'whichever of its commands',
    '--forceExit',
  ];
  const tests = new Program(args, { FAULTS: 'killed' }, ROOT, 'jest');
  await tests.end();
  const text = tests.output + tests.errors;
  const count = (outcome) => Number(new RegExp(`Tests:.* (\\d+) ${outcome}`).exec(text)?.[1] ?? '0');
  report.atMost('operations that leave something half done', count('failed'), 0);
  report.atLeast('operations whose writes are done or not begun at every command', count('passed'), 1);
  if (count('failed') > 0 || count('passed') === 0) report.note(text.slice(-4000));
}
