/** `npm start`: prepares the checkout and runs the service until it ends. See README.md here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node } from './lib/node.mjs';
import { DIST } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, SetupError } from './lib/steps.mjs';

const MAIN = join(DIST, 'main.js');

runMain(async () => {
  const command = process.env.NODE_ENV === 'production' ? checkOnly() : await prepare({ build: true, database: true });
  return run(command, [MAIN]);
});

/** In production nothing is fetched or built at the start: what runs is what was deployed. */
function checkOnly() {
  if (node.isMissing())
    throw new SetupError(`Node.js ${process.versions.node} is too old; see "engines" in package.json.`);
  if (!existsSync(MAIN)) throw new SetupError('There is no dist/main.js: run `npm ci` and `npm run build` before.');
  return node.use();
}
