/** `npm run openapi:diff [-- document]`: what openapi.json changes since the last release. See docs/versioning.md. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { goTools, oasdiff } from './lib/generators.mjs';
import { ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, say, SetupError } from './lib/steps.mjs';

const RELEASES = join(ROOT, 'docs', 'releases');

runMain(async () => {
  const [, , given = newestRelease()] = process.argv;
  if (given === undefined) {
    say('There is no release to compare openapi.json with: docs/releases has no document.');
    return 0;
  }
  if (goTools.missing()) throw new SetupError('oasdiff is a Go program: install Go 1.21 or newer (https://go.dev/dl).');
  await prepare({ build: false, database: false, parts: [oasdiff] });
  return run(oasdiff.program, ['changelog', given, 'openapi.json', '--fail-on', 'ERR']);
});

/** `docs/releases/openapi-1.10.0.json` is newer than `docs/releases/openapi-1.9.0.json`. */
function newestRelease() {
  if (!existsSync(RELEASES)) return undefined;
  const name = readdirSync(RELEASES)
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .at(-1);
  return name && join(RELEASES, name);
}
