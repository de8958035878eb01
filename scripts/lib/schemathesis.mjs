import { pythonTool } from './python-tool.mjs';

/**
 * Installs schemathesis. Other releases have other checks and find other errors.
 *
 * @returns {Promise<string>} its command
 */
export function schemathesis() {
  return pythonTool('schemathesis', '4.32.5', '3.10');
}
