import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { SetupError } from './steps.mjs';

/**
 * What the mutation check covers: sources, and the tests that must catch their mutants. A scope is small enough that its
 * tests run in seconds, since they run once per mutant. A mutant that no test of its scope kills counts as surviving,
 * whatever other tests would say.
 */
const SCOPES = [
  {
    name: 'guards',
    sources: ['src/auth/{*.guard,*-tokens,jwt.strategy,signing-keys}.ts'],
    tests: ['account.guard', 'signing-keys', 'verified-tokens'].map((name) => `src/auth/${name}.spec.ts`),
  },
  {
    name: 'auth',
    sources: ['src/auth/*.ts', '!src/auth/{*.guard,*-tokens,*.module,jwt.strategy,signing-keys,transaction.*}.ts'],
    tests: ['src/auth', 'test/access-matrix.e2e-spec.ts', 'test/identity-provider'],
  },
  { name: 'limits', sources: ['src/limits/guards.ts'], tests: ['test/contract/order-limits.e2e-spec.ts'] },
  {
    name: 'validation',
    sources: ['src/validation/**/*.ts'],
    tests: ['src/validation', 'src/validation/fields', 'src/validation/query'],
  },
  { name: 'http-body', sources: ['src/http/body/*.ts'], tests: ['src/http/body'] },
  {
    name: 'http-edge',
    sources: ['src/http/edge/*.ts'],
    tests: ['src/http/edge', ...httpTests('bodies', 'headers', 'parser', 'paths')],
  },
  { name: 'http', sources: ['src/http/*.ts'], tests: ['src/http', 'src/validation/query/query.guard.spec.ts'] },
  { name: 'errors', sources: ['src/errors/*.ts'], tests: ['src/errors', ...httpTests('errors')] },
  { name: 'slugs', sources: ['src/slugs/*.ts'], tests: ['src/slugs', 'test/contract/slugs.e2e-spec.ts'] },
  {
    name: 'database',
    sources: ['src/database/{claims,derived-fields,projections,records,unique-keys}.ts'],
    tests: ['src/database'],
  },
  {
    name: 'write-loop',
    sources: ['src/database/{declarations,transaction,transactions,turns,write-run}.ts', 'src/auth/transaction.*.ts'],
    tests: [
      ...['declarations', 'transaction', 'transactions', 'turns', 'write-run'].map(
        (name) => `src/database/${name}.spec.ts`,
      ),
      'test/structure/transactions.e2e-spec.ts',
      'test/races/repeated-writes.e2e-spec.ts',
    ],
    ignoreStatic: true,
  },
  {
    name: 'events',
    sources: ['src/events/event{-log,-sweep,s.service}.ts', 'src/database/changes.ts'],
    tests: ['test/events', 'test/contract/every-resource.e2e-spec.ts'],
    ignoreStatic: true,
  },
  // POST /sessions finds Users by username or e-mail address.
  service('users', 'test/sessions/post.e2e-spec.ts'),
  {
    name: 'api-keys',
    sources: ['src/api-keys/{api-key-use,api-keys.service}.ts'],
    tests: [
      'test/api-keys',
      ...contractTests('fields', 'lists'),
      'test/security-log.e2e-spec.ts',
      'test/users/external-id.e2e-spec.ts',
    ],
    ignoreStatic: true,
  },
  ...['sessions', 'organizations', 'managers', 'apis', 'files'].map((name) => service(name)),
];

function httpTests(...names) {
  return names.map((name) => `test/http/${name}.e2e-spec.ts`);
}

function contractTests(...names) {
  return names.map((name) => `test/contract/${name}.e2e-spec.ts`);
}

function service(name, ...moreTests) {
  const contract = contractTests('conditions', 'fields', 'lists', 'meanwhile', 'order', 'slugs');
  const tests = [`test/${name}`, ...contract, ...moreTests];
  return { name, sources: [`src/${name}/*.service.ts`], tests, ignoreStatic: true };
}

/** The names of all scopes, guards first. */
export const scopeNames = SCOPES.map(({ name }) => name);

/** @throws {SetupError} for a name that no scope has */
export function scopeOf(name) {
  const scope = SCOPES.find((one) => one.name === name);
  if (!scope) throw new SetupError(`There is no scope "${name}"; there are: ${scopeNames.join(', ')}.`);
  const tests = scope.tests.flatMap((path) => (path.endsWith('.ts') ? [path] : specsOf(path)));
  const mutate = [...scope.sources, '!src/**/*.spec.ts'];
  return { name, mutate, tests, fingerprint: fingerprintOf(tests), ignoreStatic: scope.ignoreStatic ?? false };
}

function specsOf(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('spec.ts'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** Of the tests, and of what they share. */
function fingerprintOf(tests) {
  const shared = readdirSync(join(ROOT, 'test', 'support')).map((name) => `test/support/${name}`);
  const hash = createHash('sha256');
  for (const path of [...shared.sort(), ...tests]) hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 8);
}
