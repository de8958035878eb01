import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { createProgram } from './program';

/** Parses arguments without a process to end. */
async function run(...args: string[]): Promise<{ code?: number; text: string }> {
  let text = '';
  const write = (part: string): void => void (text += part);
  const program = new Command().exitOverride().configureOutput({ writeOut: write, writeErr: write });
  try {
    await createProgram(program).parseAsync(args, { from: 'user' });
    return { text };
  } catch (error) {
    return { code: (error as CommanderError).exitCode, text };
  }
}

const find = (name: string): Command => createProgram().commands.find((command) => command.name() === name)!;

describe('the command line', () => {
  it.each([
    ['admin delete ada', "error: unknown command 'delete'"],
    ['admin create ada', "error: missing required argument 'email'"],
    ['import a b', "error: too many arguments for 'import'"],
  ])('is rejected with the usage and code 1: %s', async (line, message) => {
    const { code, text } = await run(...line.split(' '));
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(message) });
    const [name] = line.split(' ');
    expect(text).toMatch(new RegExp(`^Usage: npm run ${name} -- (create )?\\[options\\]`, 'm'));
  });

  it('is explained when an Admin command is missing', async () => {
    expect(await run('admin')).toEqual({ code: 1, text: expect.stringContaining('reset-password') });
  });

  it.each([
    ['admin create', 'npm run admin -- create [options] <username> <email>'],
    ...['check:data', 'data:version'].map((name) => [name, `npm run ${name} -- [options]`]),
    ...['export', 'import'].map((name) => [name, `npm run ${name} -- [options] <file>`]),
  ])('is described by %s --help', async (line, usage) => {
    const { code, text } = await run(...line.split(' '), '--help');
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(`Usage: ${usage}\n`) });
    const inImage = usage.replace('npm run', 'node dist/commands/main.js').replace(' --', '');
    expect(text).toContain(`In the image: ${inImage}\n`);
  });

  it('adds no numbered demo records by default', () => {});

  it('names files relative to the folder in which npm was called, and in the image to its own', () => {
    const [argument] = find('import').registeredArguments;
    const pathOf = (file: string): unknown => argument!.parseArg!(file, undefined as never);
    process.env.INIT_CWD = '/backups';
    expect(['roster.jsonl', '/data/roster.jsonl'].map(pathOf)).toEqual(['/backups/roster.jsonl', '/data/roster.jsonl']);
    delete process.env.INIT_CWD;
    expect(pathOf('roster.jsonl')).toBe(join(process.cwd(), 'roster.jsonl'));
  });
});
