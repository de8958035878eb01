import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which is two folders above both `src/platform/base/settings` and `dist/config`. */
export const version = (
  JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as { version: string }
).version;
