import { database } from '../../tools/embedded-database/install.mjs';
import { build } from './build.mjs';
import { clientPackage, clientPackages } from './client-package.mjs';
import { dependencies } from './dependencies.mjs';
import { node } from './node.mjs';
import { alone } from './setup-lock.mjs';
import { SetupError } from './steps.mjs';

/** What the output of a tool says when this is why it failed, and the only advice then. */
const CAUSES = [
  [/ENOSPC|No space left/i, 'The disk is full.'],
  [/EACCES|EROFS|Permission denied|Read-only file/i, 'The checkout cannot be written.'],
  [
    /E(CONN\w+|\w*TIMEDOUT|AI_AGAIN|NOTFOUND)\b|ProxyError|Max retries|ConnectionError|Temporary failure|Could not connect/,
    'The package registry cannot be reached. Behind a proxy, set HTTPS_PROXY.',
  ],
];

/** @typedef {{isReady: () => boolean, prepare: () => Promise<unknown>, advice?: string}} Part of a checkout */

/**
 * Prepares the checkout for a command: installs and then builds what is missing or out of date.
 *
 * @param {{build: boolean, database: boolean, client?: boolean, parts?: Part[]}} needs the compiled
 *   service, the embedded database, the compiled client package, and `parts` of this command only
 */
export async function prepare({ build: needsBuild, database: needsDatabase, client, parts = [] }) {
  const packages = client ? [dependencies, clientPackages] : [dependencies];
  await prepareParts(node, ...packages, ...(needsDatabase ? [database] : []), ...parts);
  node.use();
  await prepareParts(...(needsBuild ? [build] : []), ...(client ? [clientPackage] : []));
}

/** Prepares what is not ready, side by side. If one part fails, it says why immediately; `runMain` ends the others. */
async function prepareParts(...parts) {
  const missing = () => parts.filter((part) => !part.isReady());
  if (missing().length === 0) return;
  await alone(async () => {
    await Promise.all(missing().map(prepareOne));
  });
}

async function prepareOne(part) {
  try {
    await part.prepare();
  } catch ({ message }) {
    const [, advice = part.advice] = CAUSES.find(([cause]) => cause.test(message)) ?? [];
    throw new SetupError(advice ? `${message}\n\n${advice}` : message);
  }
}
