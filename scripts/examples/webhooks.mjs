/** Tests examples/webhooks with Node.js's own test runner. */
import { join } from 'node:path';
import { packagesOf } from '../lib/dependencies.mjs';
import { ROOT, TYPESCRIPT_CLIENT, WEBHOOKS } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { alone } from '../lib/setup-lock.mjs';
import { step } from '../lib/steps.mjs';

const TSC = join(TYPESCRIPT_CLIENT, 'node_modules', 'typescript', 'bin', 'tsc');
/** A forwarder that sends nothing lets a test wait. */
const TEST = ['--test', '--test-timeout=60000', join(ROOT, 'scripts', 'examples', 'webhooks.test.mjs')];

export async function testWebhooks() {
  const packages = packagesOf(WEBHOOKS);
  if (packages.isMissing()) await alone(() => packages.install());
  await step('Webhooks: the types of the forwarder', () => capture('node', [TSC, '-p', WEBHOOKS]));
  await step('Webhooks: a receiver that fails, and a forwarder that is killed', () => capture('node', TEST));
}
