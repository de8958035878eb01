import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isStamped, stamped } from './fingerprint.mjs';
import { CACHE, CLIENT_TESTS } from './paths.mjs';
import { capture } from './processes.mjs';
import { SetupError, step } from './steps.mjs';

/** The generators that `npm run test:clients` uses if this machine has their languages. npm installs the other ones. */
const OPENAPI_GENERATOR = '7.25.0';
/** The plugin of Maven that downloads. */
const DEPENDENCY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
/** What the generated code and ogen need. An older Go gets this one: it is a Go module, too. */
const [GO_MINOR, GO] = [25, '1.25.5'];

/** @returns {string | undefined} what a program prints as its version; undefined if it is not there */
export function versionOf(program, option) {
  const { status, stdout, stderr } = spawnSync(program, [option], { encoding: 'utf8' });
  return status === 0 ? stdout || stderr : undefined;
}

/** Runs a goal of the plugin that downloads from Maven Central. */
export function maven(goal, args, options) {
  const repository = `-Dmaven.repo.local=${join(CACHE, 'maven')}`;
  return capture('mvn', ['-q', '-B', repository, `${DEPENDENCY}:${goal}`, ...args], options);
}

/** OpenAPI Generator's jar and the packages of the Java that it generates, from Maven Central. */
export const javaTools = {
  missing: () => ['java', 'javac', 'mvn'].find((program) => versionOf(program, '-version') === undefined),
  jar: join(CACHE, 'java', `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`),
  packages: join(CACHE, 'java', 'packages'),

  isReady: () => isStamped(stampOf('java'), wanted()),

  prepare: () => step('Installing OpenAPI Generator', () => stamped(stampOf('java'), wanted(), installJavaTools)),
};

async function installJavaTools() {
  rmSync(join(CACHE, 'java'), { recursive: true, force: true });
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await maven('copy', [`-Dartifact=${artifact}`, `-DoutputDirectory=${join(CACHE, 'java')}`]);
  await maven('copy-dependencies', ['-f', POM, `-DoutputDirectory=${javaTools.packages}`]);
}

const POM = join(CLIENT_TESTS, 'generators', 'java', 'pom.xml');
const stampOf = (name) => join(CACHE, name, 'installed.txt');
const wanted = () => `${OPENAPI_GENERATOR}\n${readFileSync(POM, 'utf8')}`;

const MODULES = join(CACHE, 'go', 'modules');
const ARCH = process.arch === 'x64' ? 'amd64' : process.arch;
const TOOLCHAIN = `golang.org/toolchain@v0.0.1-go${GO}.${process.platform}-${ARCH}`;
const isOld = () => Number(/go1\.(\d+)/.exec(versionOf('go', 'version'))?.[1] ?? 0) < GO_MINOR;

/** Go, with its caches in the checkout. */
export const goTools = {
  missing: () => (versionOf('go', 'version') === undefined ? 'go' : undefined),
  env: { GOMODCACHE: MODULES, GOCACHE: join(CACHE, 'go', 'build'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' },

  get program() {
    return isOld() ? join(MODULES, TOOLCHAIN, 'bin', 'go') : 'go';
  },

  isReady: () => !isOld() || isStamped(stampOf('go'), GO),

  prepare: () => step(`Installing Go ${GO}`, () => stamped(stampOf('go'), GO, installGo)),
};

async function installGo() {
  mkdirSync(join(CACHE, 'go'), { recursive: true });
  await capture('go', ['mod', 'download', TOOLCHAIN], { env: goTools.env });
  if (!existsSync(goTools.program)) throw new SetupError(`Go ${GO} was not in its module.`);
  // Modules have no executable files.
  const folders = ['bin', `pkg/tool/${process.platform}_${ARCH}`].map((name) => join(MODULES, TOOLCHAIN, name));
  for (const folder of folders) for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755);
}
