/** `npm run openapi:diff`: what openapi.json changes since the last release. See docs/versioning.md. */
import { join, relative } from 'node:path';
import { compareDocuments } from './lib/openapi-diff/documents.mjs';
import { lastRelease, readDocument } from './lib/openapi-diff/releases.mjs';
import { ROOT } from './lib/paths.mjs';
import { runMain } from './lib/steps.mjs';

runMain(async () => {
  const released = lastRelease();
  const { breaking, unsure, added } = compareDocuments(
    readDocument(released),
    readDocument(join(ROOT, 'openapi.json')),
  );
  const lines = [
    `openapi.json, compared with ${relative(ROOT, released)}:`,
    ...section('breaks clients', breaking),
    ...section('to be checked by hand', unsure),
    ...section('new', added),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return breaking.length === 0 ? 0 : 1;
});

function section(title, changes) {
  return [`${changes.length} ${title}`, ...changes.map((change) => `  ${change}`)];
}
