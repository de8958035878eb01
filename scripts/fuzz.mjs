/** `npm run test:fuzz [-- nobody manager admin key]`: schemathesis against the built service. See README.md here. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, startOwnService } from '../test/support/own-service.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { pythonTool } from './lib/python-tool.mjs';
import { runMain, say, SetupError } from './lib/steps.mjs';
import { Client } from '../test/support/http-client.mjs';

const VERSION = '4.32.5';
/** The maximum number of test cases per operation and phase, and the time limit per role (s). */
const EXAMPLES = process.env.FUZZ_EXAMPLES ?? '40';
const SECONDS = process.env.FUZZ_SECONDS ?? '90';
/** The same seed and document result in the same requests. */
const SEED = process.env.FUZZ_SEED ?? '1';
const FOLDER = join(ROOT, 'scripts', 'fuzz');
const MANAGER = { username: 'manager', email: 'manager@roster.example', password: 'the password of a Manager' };
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '0', LOGIN_RATE_LIMIT_PER_MINUTE: '0', ACCESS_TOKEN_TTL: '86400' };

/** The clients of the roles. */
const ROLES = {
  nobody: (address) => new Client(address),
  manager: logInManager,
  admin: (address) => Client.logIn(address, ADMIN),
  key: createKey,
};

runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((role) => !Object.hasOwn(ROLES, role));
  if (unknown) throw new SetupError(`There is no role "${unknown}".`);
  const tool = pythonTool('schemathesis', `schemathesis ${VERSION}`, [`schemathesis==${VERSION}`]);
  await prepare({ build: true, database: true, parts: [tool] });
  const failed = [];
  for (const role of wanted.length > 0 ? wanted : Object.keys(ROLES)) {
    say(`· Fuzzing as ${role}, for up to ${SECONDS} s …`);
    if ((await fuzz(join(tool.bin, 'schemathesis'), role)) !== 0) failed.push(role);
  }
  say(failed.length === 0 ? '✔ Fuzzing' : `✖ Fuzzing failed as ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});

/** Starts a new service for each role, because a run would find the records of earlier ones. */
async function fuzz(tool, role) {
  const { address, stop } = await startOwnService(SETTINGS);
  try {
    const client = await ROLES[role](address);
    const env = {
      SCHEMATHESIS_HOOKS: join(FOLDER, 'hooks.py'),
      FUZZ_OWN_IDS: [client.user?._id, client.sessionId, client.keyId].join(','),
      FUZZ_CACHE: join(CACHE, 'schemathesis', 'cache'),
      HYPOTHESIS_STORAGE_DIRECTORY: join(CACHE, 'schemathesis', 'hypothesis'),
    };
    const header = client.token ? ['--header', `Authorization: Bearer ${client.token}`] : [];
    const code = await run(tool, [...options(role), ...header, `${address}/openapi.json`], { env });
    if (client.token && (await client.get('/users/me')).status !== 200)
      throw new SetupError('The credential of the run stopped working: see OWN_IDS in fuzz/hooks.py.');
    return code;
  } finally {
    await stop();
  }
}

function options(role) {
  const reports = join(ROOT, 'reports', 'fuzz', role);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  return [
    ...['--config-file', join(FOLDER, 'schemathesis.toml'), 'run'],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
    ...['--max-examples', EXAMPLES, '--max-time', SECONDS, '--seed', SEED, '--workers', '1'],
    ...['--report', 'json', '--report-dir', reports],
  ];
}

/** The Manager of an Organization with an API. */
async function logInManager(address) {
  const admin = await Client.logIn(address, ADMIN);
  await admin.send('POST', '/users', { ...MANAGER, companyName: 'Managers' });
  const manager = await Client.logIn(address, MANAGER);
  const kept = { name: 'Kept', url: 'https://kept.example' };
  const { body } = await manager.send('POST', '/organizations', kept);
  await manager.send('POST', `/organizations/${body.data._id}/apis`, kept);
  return manager;
}

/** A client with an API key of the Admin, which has all rights that a key can have. */
async function createKey(address) {
  const admin = await Client.logIn(address, ADMIN);
  const options = { name: 'Fuzz', scope: 'write', currentPassword: ADMIN.password };
  const { body } = await admin.send('POST', '/users/me/api-keys', options);
  return Object.assign(admin, { token: body.data.key, keyId: body.data._id });
}
