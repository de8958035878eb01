/**
 * Lets a process of its own run the sources: `node --require ./test/support/typescript.cjs src/….ts`. Compiled on the
 * way, since `dist` may be missing or stale, and kept for the other processes of the run.
 */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const FOLDER = join(process.env.NODE_COMPILE_CACHE, 'sources');

require.extensions['.ts'] = (module, file) => module._compile(compiled(file), file);

function compiled(file) {
  const path = join(FOLDER, createHash('sha1').update(file).update(readFileSync(file)).digest('hex'));
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformFileSync(file);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, code);
    renameSync(`${path}.${process.pid}`, path);
    return code;
  }
}
