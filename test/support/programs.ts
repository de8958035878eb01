import { COMMANDS, SERVICE } from '../../scripts/lib/paths.mjs';
import { Program } from './program.mjs';

type Env = Record<string, string>;

/** A command of the build, such as `seed`. */
export const startCommand = (env: Env, ...args: string[]): Program => new Program([COMMANDS, ...args], env);

/** The service of the build. */
export const startMain = (env: Env): Program => new Program([SERVICE], env);
