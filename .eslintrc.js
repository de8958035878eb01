/** A flat config. ESLint and editors find it through `eslint.config.js`. */
const js = require('@eslint/js');
const tseslint = require('typescript-eslint');
const { importX } = require('eslint-plugin-import-x');
const { createTypeScriptImportResolver } = require('eslint-import-resolver-typescript');

const SCRIPTS = ['**/*.{js,cjs,mjs}'];

const readable = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));
/** The globals of the Node.js that runs this. */
const globals = readable(Object.getOwnPropertyNames(globalThis));
/** Those of a browser that it lacks. */
const browserGlobals = readable([
  ...[
    'addEventListener',
    'confirm',
    'dispatchEvent',
    'document',
    'history',
    'isSecureContext',
    'location',
    'navigator',
  ],
  'sessionStorage',
]);

/** Allows arguments that only take up a position, and properties that are destructured to leave them out. */
const unused = ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }];

/** The rooms of `src` in their order: each imports only itself and those before it, types included. */
const ROOMS = ['platform/base', 'platform/records', 'platform/http', 'platform/operations', 'registry', 'commands'];
/** The same within records, from the ground up. */
const RECORDS = [
  ...['driver', 'schema', 'reads', 'embedded-database', 'database.ts', 'transactions', 'search', 'writes'],
  ...['record-reads.ts', 'records.ts', 'records.module.ts', 'start'],
];

const zonesOf = (root, names, entriesOf = () => []) =>
  names.map((name, index) => {
    const allowed = names.slice(0, index + 1);
    return {
      target: `${root}/${name}`,
      from: root,
      except: [...allowed, ...entriesOf(name)].map((one) => `./${one}`),
      message: `${root}/${name} may import only ${allowed.join(', ')}. Move what both need to the first of the two.`,
    };
  });

// Commands start from the root module, like main.ts.
const roomZones = zonesOf('./src', ROOMS, (room) => (room === 'commands' ? ['create-app.ts'] : []));
const recordsZones = zonesOf('./src/platform/records', RECORDS);

module.exports = tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.cache/', '.data/', 'coverage/', 'reports/'] },
  { ignores: ['clients/typescript/src/schema.ts'] }, // generated
  {
    files: ['**/*.ts', ...SCRIPTS],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': 'error',
      'max-lines': ['error', { max: 250 }],
      eqeqeq: ['error', 'always'],
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines': ['error', { max: 600 }] } },
  {
    // The service logs, and scripts use `say`. Programs of the tests may print.
    files: ['**/*.ts', 'scripts/**', 'tools/**'],
    ignores: ['clients/*/examples/**', 'examples/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', ...SCRIPTS],
    ignores: ['test/**', '**/*.spec.ts'],
    // 40 lines between the first and the last.
    rules: { 'max-lines-per-function': ['error', { max: 42, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'import-x/no-restricted-paths': ['error', { basePath: __dirname, zones: roomZones }] },
  },
  {
    files: ['src/platform/records/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: __dirname, zones: [...roomZones, ...recordsZones] }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '/(test|tools|scripts|bench)/', message: '`src` runs without the folders next to it.' }],
          paths: [
            {
              name: '@nestjs/mongoose',
              importNames: ['InjectModel'],
              message: 'Use InjectRecords: a Model takes no part in the transaction of a write.',
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.name='afterCommit'] UnaryExpression[operator='void']",
          message: 'Return the promise: afterCommit logs its error, which would end the process otherwise.',
        },
      ],
    },
  },
  {
    files: SCRIPTS,
    languageOptions: { globals },
    rules: { ...js.configs.recommended.rules, 'no-unused-vars': unused, 'no-var': 'error', 'prefer-const': 'error' },
  },
  {
    files: ['src/platform/http/openapi/ui/*.mjs'],
    languageOptions: { globals: { window: 'readonly' } },
  },
  {
    files: ['src/registry/catalog/page/*.mjs'],
    languageOptions: { globals: browserGlobals },
  },
  {
    files: ['**/*.{js,cjs}'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': unused,
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Their packages may not be installed. `npm run test:clients` and `npm run test:examples` check their types.
    files: ['clients/**/*.ts', 'examples/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['test/**/*.ts', 'src/**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
