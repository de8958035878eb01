/**
 * A flat config, the only kind that ESLint 10 reads. By itself it looks for `eslint.config.*` alone, and this name once
 * stood for the old kind: so it has to be named, `eslint -c .eslintrc.js .`
 */
const { builtinRules } = require('eslint/use-at-your-own-risk');
const tseslint = require('typescript-eslint');
const { importX } = require('eslint-plugin-import-x');
const { createTypeScriptImportResolver } = require('eslint-import-resolver-typescript');

const SCRIPTS = ['**/*.{js,cjs,mjs}'];

/** `eslint:recommended`; the package that holds it as a list, @eslint/js, no longer comes with ESLint. */
const recommended = Object.fromEntries(
  [...builtinRules].filter(([, { meta }]) => meta.docs.recommended).map(([name]) => [name, 'error']),
);

/** What counts as known: the globals of the Node.js that runs this. */
const globals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));

/** Arguments that only hold a place, and fields that are named to leave them out. */
const unused = ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }];

module.exports = tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.cache/', '.data/', 'coverage/', 'reports/', '.stryker-tmp/'] },
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
    // Lines for people have their way: the log, or `say`. Programs of the tests just print.
    files: ['**/*.ts', 'scripts/**', 'tools/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', ...SCRIPTS],
    ignores: ['test/**', '**/*.spec.ts'],
    // 25 between the first line and the last.
    rules: { 'max-lines-per-function': ['error', { max: 27, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: SCRIPTS,
    languageOptions: { globals },
    rules: { ...recommended, 'no-unused-vars': unused, 'no-var': 'error', 'prefer-const': 'error' },
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
