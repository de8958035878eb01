/** `npm run import -- <file>`: prepares the checkout and reads such a file into an empty database. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('export-import/import.js');
