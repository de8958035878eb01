/** `npm run test:clients -- --all`: generates clients in Go and Java, compiles them, and runs the same flow with each. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { goTools, javaTools } from '../../../scripts/lib/generators.mjs';
import { ADMIN, startOwnService } from '../../../test/support/own-service.mjs';
import { CACHE, ROOT } from '../../../scripts/lib/paths.mjs';
import { capture } from '../../../scripts/lib/processes.mjs';
import { png } from '../../../test/support/uploads.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
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

/** Tests a client in a folder of its own, which begins with the files of the folder `name`. */
function client(title, name, make) {
  test(title, () => {
    const folder = join(OUTPUT, name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(import.meta.dirname, name), folder, { recursive: true });
    return make(folder);
  });
}

/** Runs OpenAPI Generator. @returns the folder with what it has made */
async function generate(generator, folder, options, properties = {}) {
  const output = join(folder, 'roster');
  const given = Object.entries(properties).map(([name, value]) => `${name}=${value}`);
  const parts = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const args = ['generate', '-i', DOCUMENT, '-g', generator, '-o', output, '--global-property', parts, ...options];
  await capture('java', [...SHORT, '-jar', javaTools.jar, ...args, `--additional-properties=${given.join(',')}`]);
  return output;
}

client('OpenAPI Generator’s client for Go works', 'go', async (folder) => {
  const output = await generate('go', folder, [], { packageName: 'roster', withGoMod: false });
  rmSync(join(output, 'test'), { recursive: true, force: true });
  await capture('go', ['build', '-o', 'flow', '.'], { cwd: folder, env: goTools.env });
  await capture(join(folder, 'flow'), [], { env: flow });
});

client('OpenAPI Generator’s client for Java works', 'java', async (folder) => {
  const output = await generate('java', folder, ['--library', 'native'], { useSingleRequestParameter: true });
  const sources = readdirSync(join(output, 'src/main/java'), { recursive: true, withFileTypes: true });
  const files = sources.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const classes = join(folder, 'classes');
  const path = [classes, join(javaTools.packages, '*')].join(delimiter);
  const options = ['-encoding', 'UTF-8', '-nowarn', '-proc:none', '-d', classes, '-cp', path];
  await capture('javac', [...SHORT.map((flag) => `-J${flag}`), ...options, join(folder, 'Flow.java'), ...files]);
  await capture('java', [...SHORT, '-cp', path, 'Flow'], { env: flow });
});
