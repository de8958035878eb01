/** A flat config. ESLint and editors find it through `eslint.config.js`. */
const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const js = require('@eslint/js');
const tseslint = require('typescript-eslint');
const { importX } = require('eslint-plugin-import-x');
const { createTypeScriptImportResolver } = require('eslint-import-resolver-typescript');

const SCRIPTS = ['**/*.{js,cjs,mjs}'];

/** The globals of the Node.js that runs this. */
const globals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));

/** Allows arguments that only take up a position, and properties that are destructured to leave them out. */
const unused = ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }];

/** The order of the folders of `src`: each imports only those after it, types included. A new folder is added here. */
const ORDER = [
  'apis',
  'managers',
  'organizations',
  'files',
  'sessions',
  'api-keys',
  'users',
  'events',
  'limits',
  'auth',
  'slugs',
  'database',
  'validation',
  'http',
  'errors',
  'config',
];

/** Folders that only programs and the files directly in `src` import, with the first folder of the order that they may import. */
const ENTRIES = {
  commands: 'apis',
  start: 'users',
  openapi: 'auth',
  health: 'auth',
  home: 'http',
  logging: 'auth',
};

/** What else the programs among them import. They start from the root module, like main.ts. */
const PROGRAMS = {
  commands: ['start', 'logging', 'create-app.ts'],
  start: ['health'],
  openapi: ['start', 'create-app.ts'],
};

const HOW = 'Move what both need further to the right, or let the folder on the left register it.';
const folderZones = [
  ...ORDER.map((folder, index) => zone(folder, ORDER.slice(index))),
  ...Object.entries(ENTRIES).map(([folder, first]) =>
    zone(folder, [folder, ...ORDER.slice(ORDER.indexOf(first)), ...(PROGRAMS[folder] ?? [])]),
  ),
  ...newFolders().map((folder) => zone(folder, [folder])),
];

function newFolders() {
  const folders = readdirSync(join(__dirname, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => !ORDER.includes(name) && !(name in ENTRIES));
}

function zone(folder, allowed) {
  const others = allowed.filter((name) => name !== folder && !name.endsWith('.ts')).join(', ') || 'no other folder';
  const isNew = !ORDER.includes(folder) && !(folder in ENTRIES);
  const rule = isNew ? `Add '${folder}' to ORDER in .eslintrc.js.` : `src/${folder} may import: ${others}. ${HOW}`;
  const message = `${rule} The order is ${ORDER.join(' → ')}.`;
  return { target: `./src/${folder}`, from: './src', except: allowed.map((name) => `./${name}`), message };
}

module.exports = tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.cache/', '.data/', 'coverage/', 'reports/', '.stryker-tmp/'] },
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
    rules: { 'import-x/no-restricted-paths': ['error', { basePath: __dirname, zones: folderZones }] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '/(test|tools|scripts|bench)/', message: '`src` runs without the folders next to it.' }],
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
    files: ['src/openapi/ui/*.mjs'],
    languageOptions: { globals: { window: 'readonly' } },
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
