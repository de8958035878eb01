/** `npm run seed -- --users N --organizations N --apis N`: prepares the checkout and adds demo records. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('seed/main.js');
