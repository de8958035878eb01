import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from './fingerprint.mjs';
import { ROOT } from './paths.mjs';
import { SetupError } from './steps.mjs';

const contract = (...names) => names.map((name) => `test/contract/${name}.e2e-spec.ts`);
const http = (...names) => names.map((name) => `test/platform/http/${name}.e2e-spec.ts`);
const specs = (folder, ...names) => names.map((name) => `${folder}/${name}.spec.ts`);

/**
 * Of a resource: the rules are in its service. The tests of all resources prove little of one, and each mutant that they
 * do not kill would run them all.
 */
const ofService = (name, tests = [`test/registry/${name}`]) => ({
  sources: [`src/registry/${name}/*.service.ts`],
  tests,
  ignoreStatic: true,
});

const SECURITY_LOG = 'test/platform/operations/security-log.e2e-spec.ts';

/** Test files of a resource, where its folder has slow ones that prove little of its service. */
const registry = (name, ...files) => files.map((file) => `test/registry/${name}/${file}.e2e-spec.ts`);

/**
 * What the mutation check covers: sources, and the tests that must catch their mutants. A scope is small enough that its
 * tests run in seconds, since they run once per mutant. A mutant that no test of its scope kills counts as surviving,
 * whatever other tests would say.
 */
const SCOPES = {
  guards: {
    sources: [
      'src/platform/http/access/{account.guard,access-tokens,jwt.strategy}.ts',
      'src/platform/base/bounded-map.ts',
    ],
    tests: [...specs('src/platform/base', 'bounded-map'), ...http('credentials', 'identity-provider/registration')],
  },
  keys: {
    sources: ['src/platform/http/access/{api-key,signing-keys}.ts'],
    tests: specs('src/platform/http/access', 'api-key', 'signing-keys'),
  },
  access: {
    // Without account and access-rules, which declare what the access matrix proves: its tests take too long here.
    sources: ['src/platform/http/access/{decorators,request-access,resource.guard,resources,route-access}.ts'],
    tests: specs('src/platform/http/access', 'decorators', 'request-access', 'resources', 'route-access'),
    ignoreStatic: true,
  },
  'security-events': {
    // What the lines say is proven by the tests of the security log.
    sources: ['src/platform/http/access/security-events.ts'],
    tests: specs('src/platform/http/access', 'security-events'),
    ignoreStatic: true,
  },
  'identity-provider': {
    sources: ['src/platform/http/access/identity-provider.ts'],
    tests: specs('src/platform/http/access', 'identity-provider'),
  },
  'oidc-tokens': {
    sources: ['src/platform/http/access/{oidc-tokens,refused-token}.ts'],
    tests: specs('src/platform/http/access', 'oidc-tokens', 'refused-token'),
  },
  // contract/order-limits proves that they come in the order of the contract.
  limits: {
    sources: ['src/platform/operations/limits/guards.ts'],
    tests: specs('src/platform/operations/limits', 'guards'),
  },
  texts: {
    sources: ['src/platform/base/text/*.ts', '!src/platform/base/text/case-fold.ts'],
    tests: [...specs('src/platform/base/text', 'domain', 'text'), ...specs('src/platform/http/fields', 'text-fields')],
  },
  // Its tests look at every code point, which takes seconds.
  'case-folds': {
    sources: ['src/platform/base/text/case-fold.ts'],
    tests: specs('src/platform/base/text', 'case-fold'),
  },
  fields: {
    sources: ['src/platform/http/fields/{field,read-only-fields,related-fields,validate-fields}.ts'],
    tests: [
      ...specs('src/platform/http/fields', 'field', 'related-fields', 'text-fields', 'value-fields'),
      ...specs('src/platform/http', 'validation.pipe'),
    ],
  },
  'text-fields': {
    sources: ['src/platform/http/fields/{password,text}-fields.ts'],
    tests: specs('src/platform/http/fields', 'password-fields', 'text-fields'),
  },
  'value-fields': {
    sources: ['src/platform/http/fields/{date-field,list-fields,value-fields}.ts'],
    tests: specs('src/platform/http/fields', 'date-field', 'field', 'value-fields'),
  },
  query: { sources: ['src/platform/http/query/*.ts'], tests: ['src/platform/http/query'] },
  validation: {
    sources: ['src/platform/http/validation.pipe.ts'],
    tests: specs('src/platform/http', 'query/query', 'validation.pipe'),
  },
  'http-body': { sources: ['src/platform/http/body/*.ts'], tests: ['src/platform/http/body'] },
  'http-headers': {
    sources: ['src/platform/http/edge/{adapter,response-headers}.ts'],
    tests: specs('src/platform/http/edge', 'adapter', 'response-headers'),
  },
  'http-hooks': {
    sources: ['src/platform/http/edge/request-hooks.ts'],
    tests: specs('src/platform/http/edge', 'request-hooks'),
  },
  'http-parser': {
    sources: ['src/platform/http/edge/{client-error,request-end,request-target,server}.ts'],
    tests: specs('src/platform/http/edge', 'client-error', 'request-end', 'request-target', 'server'),
  },
  'http-routing': {
    sources: ['src/platform/http/edge/routing.ts'],
    tests: specs('src/platform/http/edge', 'routing'),
  },
  // The values of responses, which need no service.
  responses: {
    sources: ['src/platform/http/responses/{error-body,etag,response-fields,to-api-error}.ts'],
    tests: specs('src/platform/http/responses', 'error-body', 'etag', 'response-fields', 'to-api-error'),
  },
  http: {
    // What documented-headers and friendly-slugs.dto say is only in openapi.json, which the build writes and
    // `npm run check` compares. The same is true of the end of returns.decorator, which a comment leaves out.
    sources: ['src/platform/http/responses/{api-exception.filter,download.interceptor,response,returns.decorator}.ts'],
    tests: specs(
      'src/platform/http/responses',
      ...['api-exception.filter', 'download.interceptor', 'response', 'returns.decorator'],
    ),
  },
  errors: {
    // The tables of errors and of advice are in openapi.json and the documentation, which `npm run check` compares.
    sources: ['src/platform/base/errors/*.ts', '!src/platform/base/errors/advice.ts'],
    tests: ['src/platform/base/errors', ...http('errors')],
    ignoreStatic: true,
  },
  slugs: { sources: ['src/platform/records/slugs/*.ts'], tests: ['src/platform/records/slugs'] },
  'derived-fields': {
    sources: ['src/platform/records/{derived-fields,reads/projections}.ts'],
    tests: specs('src/platform/records', 'derived-fields', 'reads/projections'),
  },
  database: {
    sources: ['src/platform/records/{records,indexes/unique-keys}.ts'],
    tests: specs(
      'src/platform/records',
      ...['records', 'indexes/unique-keys', 'transactions/several-records'],
      ...['references/add-references', 'references/delete-references', 'slugs/allocate-slug'],
    ),
  },
  references: {
    sources: ['src/platform/records/references/*.ts', '!src/platform/records/references/*.spec.ts'],
    tests: specs('src/platform/records/references', ...['add-references', 'delete-references', 'references']),
  },
  'write-loop': {
    sources: ['src/platform/records/transactions/{context,lost-race,transaction,transactions,turns,write-run}.ts'],
    tests: [
      ...specs('src/platform/records/transactions', 'context', 'lost-race', 'several-records', 'transactions'),
      ...specs('src/platform/records', 'transactions/turns', 'transactions/write-run'),
      ...specs('src/platform/records/references', 'add-references', 'delete-references'),
    ],
    ignoreStatic: true,
  },
  operations: {
    sources: ['src/platform/http/operation.interceptor.ts'],
    tests: specs('src/platform/http', 'operation.interceptor'),
    ignoreStatic: true,
  },
  events: {
    sources: ['src/registry/events/event{-log,s.service}.ts'],
    tests: ['test/registry/events', 'test/registry/consumers/history.e2e-spec.ts'],
    ignoreStatic: true,
  },
  changes: {
    sources: ['src/platform/records/transactions/changes.ts'],
    tests: [...specs('src/platform/records/transactions', 'changes'), 'test/registry/events'],
    ignoreStatic: true,
  },
  sessions: ofService('sessions', [...registry('sessions', 'sessions', 'post', 'meanwhile'), SECURITY_LOG]),
  // Whose e-mail address names them is proven with the identity of Users.
  managers: ofService('managers', [
    ...['test/registry/managers', ...registry('users', 'identity')],
    ...contract('filters'),
  ]),
  'api-keys': {
    sources: ['src/registry/api-keys/api-keys.service.ts'],
    tests: ['test/registry/api-keys', SECURITY_LOG],
    ignoreStatic: true,
  },
  organizations: ofService('organizations', [
    ...registry('organizations', 'organizations', 'external-id', 'meanwhile'),
    ...contract('filters'),
  ]),
  apis: ofService('apis', [
    ...registry('apis', 'apis', 'lists', 'end', 'external-id', 'meanwhile'),
    ...contract('filters', 'every-resource'),
  ]),
  consumers: ofService('consumers', registry('consumers', 'consumers', 'meanwhile')),
  files: ofService('files', registry('files', 'files', 'logos', 'meanwhile')),
  'user-access': {
    sources: ['src/registry/users/user-access.ts'],
    tests: specs('src/registry/users', 'user-access'),
  },
  // POST /sessions finds Users by username or e-mail address.
  users: ofService('users', [
    ...registry('users', 'put', 'users', 'suspension', 'external-id', 'identity', 'registration', 'directory'),
    ...registry('sessions', 'post'),
    ...registry('users', 'meanwhile'),
    ...registry('api-keys', 'api-keys'),
    SECURITY_LOG,
  ]),
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
