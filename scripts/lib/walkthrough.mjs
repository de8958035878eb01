import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './steps.mjs';

/** Says what the code block after it is for. */
const MARKER = /^\*\*(Create|Change) `([^`]+)`\*\*/;
const HEADING = /^#+ (.+)$/;
const FENCE = /^```(\w*)$/;
/** Separates the places of one file that a diff changes. */
const GAP = /^@@/;
const TEST_COMMAND = /^npm test -- (.+)$/;

/**
 * A code block of a walkthrough.
 *
 * @typedef {{kind: 'Create' | 'Change', path: string, section: string, lines: string[]}} Block
 */

/**
 * Reads a walkthrough: after a line that begins with **Create `path`** comes a code block with the whole file; after
 * **Change `path`** a `diff` block of the lines that go (`-`), come (`+`) and stay around them (` `). The tests to run are
 * the arguments of its `npm test -- …` lines.
 *
 * @param {string} text Markdown
 * @returns {{blocks: Block[], tests: string[]}}
 * @throws {SetupError} for code that would not be applied
 */
export function readWalkthrough(text) {
  const blocks = [];
  const tests = [];
  let [section, marker, fence] = ['', undefined, undefined];
  for (const line of text.split('\n')) {
    if (fence) {
      if (line !== '```') fence.lines.push(line);
      else fence = endOf(fence, marker, section, blocks, tests);
      if (!fence) marker = undefined;
    } else if (FENCE.test(line)) fence = { language: FENCE.exec(line)[1], lines: [] };
    else if (MARKER.test(line)) marker = markerOf(line, marker, section);
    else section = HEADING.exec(line)?.[1] ?? section;
  }
  if (marker) throw new SetupError(`"${section}", ${marker.path}: no code block follows.`);
  return { blocks, tests };
}

function markerOf(line, previous, section) {
  const [, kind, path] = MARKER.exec(line);
  if (previous) throw new SetupError(`"${section}", ${previous.path}: no code block follows.`);
  return { kind, path };
}

function endOf({ language, lines }, marker, section, blocks, tests) {
  const isCode = language === 'ts' || language === 'diff';
  if (isCode !== Boolean(marker) || (isCode && (language === 'diff') !== (marker.kind === 'Change'))) {
    throw new SetupError(
      `"${section}": a ts block needs a line **Create \`path\`** before it, and a diff block **Change \`path\`**.`,
    );
  }
  if (isCode) blocks.push({ ...marker, section, lines });
  for (const line of lines) tests.push(...(TEST_COMMAND.exec(line)?.[1].split(' ') ?? []));
  return undefined;
}

/**
 * Does to a checkout what the block says.
 *
 * @param {string} root
 * @param {Block} block
 * @throws {SetupError} when it does not apply; names its section and file
 */
export function applyBlock(root, { kind, path, section, lines }) {
  const file = join(root, path);
  if (kind === 'Create') {
    mkdirSync(dirname(file), { recursive: true });
    return writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx' });
  }
  if (!existsSync(file))
    throw new SetupError(`"${section}" of docs/extending.md no longer applies: there is no ${path}.`);
  let content = readFileSync(file, 'utf8');
  for (const hunk of hunksOf(lines)) {
    const [before, after] = ['-', '+'].map((sign) => sideOf(hunk, sign));
    const places = content.split(before).length - 1;
    if (places !== 1) {
      const problem = places === 0 ? 'has no such lines' : `has these lines ${places} times`;
      throw new SetupError(`"${section}" of docs/extending.md no longer applies: ${path} ${problem}:\n\n${before}`);
    }
    content = content.replace(before, () => after);
  }
  writeFileSync(file, content);
}

function hunksOf(lines) {
  const hunks = [[]];
  for (const line of lines) GAP.test(line) ? hunks.push([]) : hunks.at(-1).push(line);
  return hunks.filter((hunk) => hunk.length > 0);
}

/** The lines before (`-`) or after (`+`) the change, as a piece of the file. */
function sideOf(hunk, sign) {
  const lines = hunk.filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign));
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}
