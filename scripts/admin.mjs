/** `npm run admin -- <command>`: prepares the checkout and lists, creates or restores Admins. See README.md here. */
import { runCommand } from './lib/run-command.mjs';

void runCommand('admin.js');
