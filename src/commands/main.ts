/** The commands on the database, such as `npm run export`. In the image: `node dist/commands/main.js <command>`. */
import '../platform/operations/start/node-version';
import { startErrorText } from '../platform/base/errors/start-error';
import { ApiError } from '../platform/base/errors/api-error';
import { createProgram } from './program';

createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof ApiError ? error.message : startErrorText(error)}\n`);
    process.exitCode = 1;
  })
  // The service has timers and sockets of its own.
  .finally(() => process.stdout.write('', () => process.exit()));
