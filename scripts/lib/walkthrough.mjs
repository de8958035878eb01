import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './steps.mjs';

/** A line that says what the code block after it is for, and the block. */
const BLOCK = /^\*\*(Create|Change) `(.+?)`\*\*.*\n\n```(?:ts|diff)\n([^]*?)^```$/gm;
/** Separates the places of one file that a diff changes. */
const GAP = /^@@.*\n/m;

/**
 * Reads a walkthrough: after **Create `path`** comes a `ts` block with the whole file; after **Change `path`** a `diff`
 * block. Each of its `npm test -- …` lines is a run of tests, with these arguments.
 */
export function readWalkthrough(text) {
  const blocks = [...text.matchAll(BLOCK)].map(([, kind, path, code]) => ({ kind, path, code }));
  if (text.match(/^(\*\*(Create|Change) `|```(ts|diff)$)/gm).length !== 2 * blocks.length)
    throw new SetupError('Each ts or diff block needs a line **Create `path`** or **Change `path`** before it.');
  return { blocks, runs: [...text.matchAll(/^npm test -- (.+)$/gm)].map(([, run]) => run.split(' ')) };
}

/** Does to a checkout what the block says. */
export function applyBlock(root, { kind, path, code }) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  if (kind === 'Create') return writeFileSync(file, code, { flag: 'wx' });
  let content = readFileSync(file, 'utf8');
  for (const change of code.split(GAP)) {
    const [before, after] = ['-', '+'].map((sign) => sideOf(change, sign));
    const places = before === '' ? 0 : content.split(before).length - 1;
    if (places !== 1)
      throw new SetupError(
        `docs/extending.md no longer applies: ${path} has these lines ${places} times:\n\n${before}`,
      );
    content = content.replace(before, () => after);
  }
  writeFileSync(file, content);
}

/** The lines before (`-`) or after (`+`) the change, as a piece of the file. */
function sideOf(change, sign) {
  const lines = change.split('\n').slice(0, -1);
  const shown = lines.filter((line) => line === '' || [' ', sign].includes(line[0]));
  return shown.map((line) => `${line.slice(1)}\n`).join('');
}
