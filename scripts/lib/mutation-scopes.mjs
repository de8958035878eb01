import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from './fingerprint.mjs';
import { ROOT } from './paths.mjs';
import { SetupError } from './steps.mjs';

const contract = (...names) => names.map((name) => `test/contract/${name}.e2e-spec.ts`);
const http = (...names) => names.map((name) => `test/http/${name}.e2e-spec.ts`);
const specs = (folder, ...names) => names.map((name) => `${folder}/${name}.spec.ts`);

/** Of a resource: the rules are in its service. */
const ofService = (name, { sources = [], tests = [] } = {}) => ({
  sources: [`src/${name}/*.service.ts`, ...sources],
  tests: [`test/${name}`, ...contract('conditions', 'fields', 'lists', 'meanwhile', 'order', 'slugs'), ...tests],
  ignoreStatic: true,
});

/**
 * What the mutation check covers: sources, and the tests that must catch their mutants. A scope is small enough that its
 * tests run in seconds, since they run once per mutant. A mutant that no test of its scope kills counts as surviving,
 * whatever other tests would say.
 */
const SCOPES = {
  guards: {
    sources: ['src/auth/{account.guard,access-tokens,bounded-map,jwt.strategy}.ts'],
    tests: ['test/credentials.e2e-spec.ts', ...specs('src/auth', 'bounded-map')],
  },
  auth: {
    sources: [
      'src/auth/*.ts',
      '!src/auth/{account.guard,access-tokens,bounded-map,*.module,jwt.strategy,transaction.*}.ts',
    ],
    tests: [
      ...['src/auth', 'test/access-matrix.e2e-spec.ts', 'test/identity-provider', ...contract('order')],
      ...['test/credentials.e2e-spec.ts', 'test/users/late-body.e2e-spec.ts'],
    ],
  },
  limits: { sources: ['src/limits/guards.ts'], tests: contract('order-limits') },
  validation: {
    sources: ['src/validation/**/*.ts', '!src/validation/fields/repeated-ids.ts'],
    tests: ['src/validation', 'src/validation/fields', 'src/validation/query'],
  },
  'http-body': { sources: ['src/http/body/*.ts'], tests: ['src/http/body'] },
  'http-edge': {
    sources: ['src/http/edge/*.ts'],
    tests: ['src/http/edge', ...http('bodies', 'headers', 'parser', 'paths')],
  },
  http: {
    // What documented-headers says is only in openapi.json, which the build writes and `npm run check` compares. The
    // same is true of the end of returns.decorator, which a comment leaves out.
    sources: ['src/http/*.ts', '!src/http/documented-headers.ts'],
    tests: [
      ...['src/http', ...specs('src/validation/query', 'query.guard'), ...http('home'), ...contract('lists')],
      'test/log.e2e-spec.ts',
    ],
  },
  errors: { sources: ['src/errors/*.ts'], tests: ['src/errors', ...http('errors')] },
  slugs: { sources: ['src/slugs/*.ts'], tests: ['src/slugs', ...contract('slugs')] },
  database: {
    sources: ['src/database/{derived-fields,field-options,projections,records,unique-keys}.ts'],
    tests: specs('src/database', 'derived-fields', 'projections', 'records', 'several-records'),
  },
  'write-loop': {
    sources: ['src/database/{declarations,transaction,transactions,turns,write-run}.ts', 'src/auth/transaction.*.ts'],
    tests: [
      ...specs('src/database', 'declarations', 'transaction', 'transactions', 'turns', 'write-run'),
      ...['test/structure/transactions.spec.ts', 'test/contract/repeated-writes.e2e-spec.ts'],
    ],
    ignoreStatic: true,
  },
  events: {
    sources: ['src/events/event{-log,s.service}.ts', 'src/database/changes.ts'],
    tests: ['test/events', ...contract('every-resource'), ...specs('src/database', 'changes')],
  },
  // POST /sessions finds Users by username or e-mail address.
  users: ofService('users', { tests: ['test/sessions/post.e2e-spec.ts'] }),
  // Only theirs are ids that a PUT repeats.
  organizations: ofService('organizations', { sources: ['src/validation/fields/repeated-ids.ts'] }),
  'api-keys': {
    sources: ['src/api-keys/{api-key-use,api-keys.service}.ts'],
    tests: [
      ...['test/api-keys', ...contract('fields', 'lists')],
      ...['test/security-log.e2e-spec.ts', 'test/users/external-id.e2e-spec.ts'],
    ],
    ignoreStatic: true,
  },
  ...Object.fromEntries(['sessions', 'managers', 'apis', 'files'].map((name) => [name, ofService(name)])),
};

export const scopeNames = Object.keys(SCOPES);

/** @throws {SetupError} for a name that no scope has */
export function scopeOf(name) {
  if (!scopeNames.includes(name))
    throw new SetupError(`There is no scope "${name}"; there are: ${scopeNames.join(', ')}.`);
  const { sources, tests: places, ignoreStatic = false } = SCOPES[name];
  const tests = places.flatMap((path) => (path.endsWith('.ts') ? [path] : specsIn(path)));
  const fingerprint = fingerprintOf(['test/support', ...tests]).slice(0, 8);
  return { name, mutate: [...sources, '!src/**/*.spec.ts'], tests, fingerprint, ignoreStatic };
}

function specsIn(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('spec.ts'));
  return names.sort().map((name) => `${folder}/${name}`);
}
