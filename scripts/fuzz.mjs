/** `npm run test:fuzz [-- nobody manager admin key]`: schemathesis against the built service. See README.md here. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, startOwnService } from './lib/own-service.mjs';
import { CACHE, ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { pythonTool } from './lib/python-tool.mjs';
import { runMain, say, SetupError } from './lib/steps.mjs';

const VERSION = '4.32.5';
/** The maximum number of test cases per operation and phase, and the time limit per role (s). */
const EXAMPLES = process.env.FUZZ_EXAMPLES ?? '40';
const SECONDS = process.env.FUZZ_SECONDS ?? '90';
/** The same seed and document result in the same requests. */
const SEED = process.env.FUZZ_SEED ?? '1';
const FOLDER = join(ROOT, 'scripts', 'fuzz');
const MANAGER = { username: 'manager', email: 'manager@roster.example', password: 'the password of a Manager' };
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '0', LOGIN_RATE_LIMIT_PER_MINUTE: '0', ACCESS_TOKEN_TTL: '86400' };

/** The logins of the roles: a token or an API key, and the ids of what it depends on. */
const ROLES = {
  nobody: () => ({ ids: [] }),
  manager: logInManager,
  admin: (address) => logIn(address, ADMIN),
  key: createKey,
};

runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((role) => !(role in ROLES));
  if (unknown) throw new SetupError(`There is no role "${unknown}".`);
  const packages = [`schemathesis==${VERSION}`];
  const tool = pythonTool('schemathesis', `schemathesis ${VERSION}`, packages, ['--only-binary', ':all:']);
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
    const { token, ids } = await ROLES[role](address);
    const env = {
      SCHEMATHESIS_HOOKS: join(FOLDER, 'hooks.py'),
      FUZZ_OWN_IDS: ids.join(','),
      FUZZ_CACHE: join(CACHE, 'schemathesis', 'cache'),
      HYPOTHESIS_STORAGE_DIRECTORY: join(CACHE, 'schemathesis', 'hypothesis'),
    };
    const header = token ? ['--header', `Authorization: Bearer ${token}`] : [];
    const code = await run(tool, [...options(role), ...header, `${address}/openapi.json`], { env });
    const check = { headers: { Authorization: `Bearer ${token}` } };
    if (token && !(await fetch(`${address}/users/me`, check)).ok)
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
  const admin = await logIn(address, ADMIN);
  await post(address, '/users', { ...MANAGER, companyName: 'Managers' }, admin.token);
  const manager = await logIn(address, MANAGER);
  const kept = { name: 'Kept', url: 'https://kept.example' };
  const organization = await post(address, '/organizations', kept, manager.token);
  await post(address, `/organizations/${organization._id}/apis`, kept, manager.token);
  return manager;
}

/** An API key of the Admin, with all rights that a key can have. */
async function createKey(address) {
  const { token, ids } = await logIn(address, ADMIN);
  const body = { name: 'Fuzz', scope: 'write', currentPassword: ADMIN.password };
  const { key, _id } = await post(address, '/users/me/api-keys', body, token);
  return { token: key, ids: [...ids, _id] };
}

async function logIn(address, { username, password }) {
  const { accessToken, _id, user } = await post(address, '/sessions', { username, password });
  return { token: accessToken, ids: [_id, user._id] };
}

async function post(address, path, body, token) {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new SetupError(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}
