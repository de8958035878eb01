/** `npm run migrate`: prepares the checkout and says which version the data has. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('migrate.js');
