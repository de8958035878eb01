/** `npm run export -- <file>`: prepares the checkout and writes all records to a file. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('export-import/export.js');
