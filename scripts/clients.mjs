/** `npm run test:clients`: lints openapi.json, generates clients, and tests them. See clients/README.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from './lib/client-checks.mjs';
import { installMissing } from './lib/dependencies.mjs';
import { CLIENT_TESTS, ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain, say, SetupError, step } from './lib/steps.mjs';

const REPORT = join(ROOT, 'reports', 'clients.json');

runMain(async () => {
  await prepare({ build: true, database: true, client: true });
  await installMissing(CLIENT_TESTS);
  const total = { passed: 0, failed: 0 };
  for (const { title, work } of checks()) {
    const { passed, failed } = await resultOf(title, work);
    total.passed += passed;
    total.failed += failed;
  }
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  writeFileSync(REPORT, `${JSON.stringify(total)}\n`);
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});

/** A check counts as one test, unless it says how many it ran. */
async function resultOf(title, work) {
  try {
    return (await step(title, work)) ?? { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return error.counts ?? { passed: 0, failed: 1 };
  }
}
