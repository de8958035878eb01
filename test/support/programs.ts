import { join } from 'node:path';
import { Program } from './program.mjs';

type Env = Record<string, string>;

/** A program of `src`, compiled on the way. */
const startSource = (file: string, env: Env, args: string[] = []): Program =>
  new Program(['--require', join(__dirname, 'typescript.cjs'), join(__dirname, '../../src', file), ...args], env);

/** A command, such as `seed`. */
export const startCommand = (env: Env, ...args: string[]): Program => startSource('commands/main.ts', env, args);

export const startMain = (env: Env): Program => startSource('main.ts', env);
