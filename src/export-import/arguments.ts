import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error';

/** What a command was called with. */
export interface Arguments {
  /** An absolute path. */
  readonly file: string;
  readonly keep: boolean;
}

/**
 * Reads the arguments of the command line.
 *
 * @param flags that the command takes
 * @returns undefined for `--help`
 * @throws StartError for an unknown option, or another number of files than one
 */
export function parseArguments(args: string[], usage: string, flags: readonly 'keep'[] = []): Arguments | undefined {
  const flag = { type: 'boolean' } as const;
  try {
    const options = { help: flag, ...Object.fromEntries(flags.map((name) => [name, flag])) };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { help, keep = false } = values as { help?: boolean; keep?: boolean };
    if (help) return undefined;
    const [file] = positionals;
    if (!file || positionals.length > 1) throw new Error('Name one file.');
    // npm runs commands in the folder of package.json, and says where it was called.
    return { file: resolve(process.env.INIT_CWD ?? '', file), keep };
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n\n${usage}`);
  }
}
