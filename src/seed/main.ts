/** `npm run seed`: fills the registry with demo records (README, "Demo data"). */
import { randomBytes } from 'node:crypto';
import { Settings } from '../config/settings';
import { startErrorText } from '../config/start-error';
import { loadSettings } from '../load-settings';
import { parseOptions, SeedError, USAGE } from './options';
import { seed } from './seed';

/** Known to everybody who reads this, so never for production. */
const DEMO_PASSWORD = 'a demo of the registry';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (!options) return void process.stdout.write(`${USAGE}\n`);
  const settings = loadSettings();
  if (settings.environment === 'production' && !options.yes) {
    throw new SeedError('This is production: demo records do not belong here. Say --yes if they do.');
  }
  const password = passwordFor(settings);
  await seed(settings.mongodbUri, options, password, process.stderr);
  if (options.users > 0) process.stdout.write(`Users that were added log in as demo-user-1 … with "${password}".\n`);
}

function passwordFor({ environment }: Settings): string {
  return environment === 'production' ? randomBytes(18).toString('base64url') : DEMO_PASSWORD;
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${startErrorText(error)}\n`);
  process.exit(1);
});
