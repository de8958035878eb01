import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stampedPart } from './fingerprint.mjs';
import { CACHE, CLIENT_TESTS } from './paths.mjs';
import { capture } from './processes.mjs';

/** The generators of `npm run test:clients -- --all`, and oasdiff. */
const OPENAPI_GENERATOR = '7.25.0';
/** The plugin of Maven that downloads. */
const DEPENDENCY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
export const MAVEN = join(CACHE, 'maven');
const POM = join(CLIENT_TESTS, 'generators', 'java', 'pom.xml');
const VERSIONS = `${OPENAPI_GENERATOR}\n${readFileSync(POM, 'utf8')}`;
const stampOf = (name) => join(CACHE, name, 'installed.txt');
const OASDIFF = 'github.com/oasdiff/oasdiff@v1.38.0';

/** @returns {string | undefined} what a program prints as its version; undefined if it is not there */
function versionOf(program, option) {
  const { status, stdout, stderr } = spawnSync(program, [option], { encoding: 'utf8' });
  return status === 0 ? stdout || stderr : undefined;
}

/** Runs a goal of the plugin that downloads from Maven Central. */
export function maven(goal, args) {
  return capture('mvn', ['-q', '-B', `-Dmaven.repo.local=${MAVEN}`, `${DEPENDENCY}:${goal}`, ...args]);
}

/** OpenAPI Generator's jar and the packages of the Java that it generates, from Maven Central. */
export const javaTools = {
  missing: () => ['java', 'javac', 'mvn'].find((program) => versionOf(program, '-version') === undefined),
  jar: join(CACHE, 'java', `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`),
  packages: join(CACHE, 'java', 'packages'),
  ...stampedPart('Installing OpenAPI Generator', stampOf('java'), VERSIONS, installJavaTools),
};

async function installJavaTools() {
  rmSync(join(CACHE, 'java'), { recursive: true, force: true });
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await maven('copy', [`-Dartifact=${artifact}`, `-DoutputDirectory=${join(CACHE, 'java')}`]);
  await maven('copy-dependencies', ['-f', POM, `-DoutputDirectory=${javaTools.packages}`]);
}

/** Go, with its caches in the checkout. From 1.21 on, it downloads the newer Go that a module asks for. */
export const goTools = {
  missing: () => (Number(/go1\.(\d+)/.exec(versionOf('go', 'version'))?.[1] ?? 0) < 21 ? 'go 1.21' : undefined),
  env: {
    GOMODCACHE: join(CACHE, 'go', 'modules'),
    GOCACHE: join(CACHE, 'go', 'build'),
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'auto',
  },
};

/** The program of `npm run openapi:diff`. */
export const oasdiff = {
  program: join(CACHE, 'go', 'oasdiff'),
  ...stampedPart(`Building ${OASDIFF}`, stampOf('go'), OASDIFF, () =>
    capture('go', ['install', OASDIFF], { env: { ...goTools.env, GOBIN: join(CACHE, 'go') } }),
  ),
};
