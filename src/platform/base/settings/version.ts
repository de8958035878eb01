import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, which is as far above `src/platform/base/settings` as above its build in `dist`. */
export const version = (
  JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as { version: string }
).version;
