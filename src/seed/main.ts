/** `npm run seed`: adds demo records (README, "Demo data"). */
import { randomBytes } from 'node:crypto';
import { startErrorText } from '../config/start-error';
import { loadSettings } from '../load-settings';
import { parseOptions, SeedError, USAGE } from './options';
import { seed } from './seed';

/** Published here, so not used in production: there the password is random. */
const DEMO_PASSWORD = 'a demo of the registry';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (!options) return void process.stdout.write(`${USAGE}\n`);
  const { environment, mongodbUri } = loadSettings();
  const isProduction = environment === 'production';
  if (isProduction && !options.yes) throw new SeedError('To add demo records in production, use --yes.');
  const password = isProduction ? randomBytes(18).toString('base64url') : DEMO_PASSWORD;
  await seed(mongodbUri, options, password, process.stderr);
  if (options.users === 0) return;
  process.stdout.write(`Demo users: demo-user-1 to demo-user-${options.users}, password "${password}"\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${startErrorText(error)}\n`);
  process.exit(1);
});
