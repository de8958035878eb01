/** Writes the types of openapi.json, with its hash, by which `npm run check` in the root knows that they are up to date. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { firstLineOf } from '../../scripts/lib/client-package.mjs';

const DOCUMENT = '../../openapi.json';
const [output = 'src/schema.ts'] = process.argv.slice(2);

const program = 'node_modules/openapi-typescript/bin/cli.js';
execFileSync(process.execPath, [program, DOCUMENT, '--output', output], { stdio: 'inherit' });
writeFileSync(output, `${firstLineOf(readFileSync(DOCUMENT))}\n${readFileSync(output, 'utf8')}`);
