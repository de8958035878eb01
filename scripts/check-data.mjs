/** `npm run check:data -- [--repair [--yes]]`: prepares the checkout and checks what is stored. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('check-data/main.js');
