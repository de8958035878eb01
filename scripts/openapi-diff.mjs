/** `npm run openapi:diff`: what openapi.json changes since the last release. See docs/versioning.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareDocuments } from './lib/openapi-diff.mjs';
import { ROOT } from './lib/paths.mjs';
import { runMain } from './lib/steps.mjs';

const RELEASES = join('docs', 'releases');
const TITLES = { breaking: 'breaks clients', unsure: 'to be checked by hand', added: 'new' };

runMain(async () => {
  const newest = new Intl.Collator('en', { numeric: true }).compare;
  const released = join(RELEASES, readdirSync(join(ROOT, RELEASES)).sort(newest).at(-1));
  const [before, after] = [released, 'openapi.json'].map((path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')));
  const changes = compareDocuments(before, after);
  const sections = Object.entries(TITLES).map(([kind, title]) =>
    [`${changes[kind].length} ${title}`, ...changes[kind].map((line) => `  ${line}`)].join('\n'),
  );
  process.stdout.write(`openapi.json, compared with ${released}:\n${sections.join('\n')}\n`);
  return changes.breaking.length === 0 ? 0 : 1;
});
