import { join } from 'node:path';
import { pythonTool } from './python-tool.mjs';

const VERSION = '4.32.5';
const ONLY_BINARY = ['--only-binary', ':all:'];

/**
 * Installs schemathesis.
 *
 * @returns {Promise<string>} its command
 * @throws {SetupError} if it cannot be installed
 */
export async function schemathesis() {
  return join(
    await pythonTool('schemathesis', `schemathesis ${VERSION}`, [`schemathesis==${VERSION}`], ONLY_BINARY),
    'schemathesis',
  );
}
