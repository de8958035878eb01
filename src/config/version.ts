import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The version of the service, as package.json has it; that file lies as far above `src/config` as above `dist/config`.
 */
export const version = (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string })
  .version;
