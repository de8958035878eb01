/** Generates clients in several languages, compiles them, and runs the same flow with each. See clients/README.md. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { after, before, test } from 'node:test';
import { goTools, javaTools } from '../../scripts/lib/generators.mjs';
import { ADMIN, startOwnService } from '../../scripts/lib/own-service.mjs';
import { CACHE, ROOT } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/processes.mjs';
import { png } from '../../test/support/uploads.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const BIN = join(import.meta.dirname, 'node_modules', '.bin');
const OUTPUT = join(CACHE, 'generated');
const IMAGE = join(OUTPUT, 'logo.png');
/** A JVM that soon ends is not worth much compiling. */
const SHORT = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

let service;
let flow;
before(async () => {
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(IMAGE, png());
  service = await startOwnService();
  flow = { ROSTER: service.address, ROSTER_PASSWORD: ADMIN.password, ROSTER_IMAGE: IMAGE };
});
after(() => service.stop());

/** Tests a client in a folder of its own, which begins with the files of `generators/<name>`. */
function client(title, name, tools, make) {
  const missing = tools.map((tool) => tool.missing()).find(Boolean);
  const skip = missing && !env.ALL_GENERATORS ? `${missing} is not installed` : false;
  test(title, { skip }, () => {
    const folder = join(OUTPUT, name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(import.meta.dirname, 'generators', name), folder, { recursive: true });
    return make(folder);
  });
}

/** Runs OpenAPI Generator. @returns the folder with what it has made */
async function generate(generator, folder, options, properties = {}) {
  const output = join(folder, 'roster');
  const given = Object.entries(properties).map(([name, value]) => `${name}=${value}`);
  const wanted = [
    '--global-property',
    'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
  ];
  const args = ['generate', '-i', DOCUMENT, '-g', generator, '-o', output, ...wanted, ...options];
  await capture('java', [...SHORT, '-jar', javaTools.jar, ...args, `--additional-properties=${given.join(',')}`]);
  return output;
}

client('OpenAPI Generator’s client for Go works', 'go', [javaTools, goTools], async (folder) => {
  const output = await generate('go', folder, [], { packageName: 'roster', withGoMod: false });
  rmSync(join(output, 'test'), { recursive: true, force: true });
  await runGo(folder);
});

client('ogen’s client for Go works', 'ogen', [goTools], async (folder) => {
  const ogen = ['tool', 'ogen', '--config', 'ogen.yml', '--target', 'roster', '--package', 'roster', DOCUMENT];
  await capture(goTools.program, ogen, { cwd: folder, env: goTools.env });
  await runGo(folder);
});

async function runGo(folder) {
  await capture(goTools.program, ['build', '-o', 'flow', '.'], { cwd: folder, env: goTools.env });
  await capture(join(folder, 'flow'), [], { env: flow });
}

client('OpenAPI Generator’s client for Python works', 'python', [javaTools], async (folder) => {
  const output = await generate('python', folder, []);
  await capture(env.PYTHON, ['-m', 'compileall', '-q', output]);
  await capture(env.PYTHON, [join(folder, 'flow.py')], { env: { ...flow, PYTHONPATH: output } });
});

client('OpenAPI Generator’s client for Java works', 'java', [javaTools], async (folder) => {
  const output = await generate('java', folder, ['--library', 'native'], { useSingleRequestParameter: true });
  const sources = readdirSync(join(output, 'src/main/java'), { recursive: true, withFileTypes: true });
  const files = sources.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const classes = join(folder, 'classes');
  const path = [classes, join(javaTools.packages, '*')].join(delimiter);
  const options = ['-encoding', 'UTF-8', '-nowarn', '-proc:none', '-d', classes, '-cp', path];
  await capture('javac', [...SHORT.map((flag) => `-J${flag}`), ...options, join(folder, 'Flow.java'), ...files]);
  await capture('java', [...SHORT, '-cp', path, 'Flow'], { env: flow });
});

client('OpenAPI Generator’s client for TypeScript works', 'typescript', [javaTools], async (folder) => {
  await generate('typescript-fetch', folder, [], { importFileExtension: '.ts' });
  await runTypeScript(folder);
});

client('orval’s client works', 'orval', [], async (folder) => {
  await capture(join(BIN, 'orval'), ['--config', 'orval.config.mjs'], { cwd: folder, env: { DOCUMENT } });
  const code = join(folder, 'roster.ts');
  // Orval's `baseUrl` is fixed when the client is generated.
  writeFileSync(code, readFileSync(code, 'utf8').replaceAll('http://roster.example', service.address));
  await runTypeScript(folder);
});

async function runTypeScript(folder) {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const compiler = ['--target', 'es2022', '--module', 'nodenext', '--strict', '--rewriteRelativeImportExtensions'];
  const types = [
    '--types',
    'node',
    '--typeRoots',
    join(import.meta.dirname, 'node_modules', '@types'),
    '--outDir',
    'out',
  ];
  await capture(join(BIN, 'tsc'), [...compiler, ...types, 'flow.ts'], { cwd: folder });
  await capture('node', [join(folder, 'out', 'flow.js')], { env: flow });
}
