import { join } from 'node:path';
import { parseArguments } from './arguments';

const USAGE = 'npm run import -- <file> [--keep]';
const parse = (...args: string[]): unknown => parseArguments(args, USAGE, ['keep']);

afterEach(() => delete process.env.INIT_CWD);

describe('the arguments of npm run export and npm run import', () => {
  it('are one file, relative to the folder in which npm was called', () => {
    expect(parse('roster.jsonl')).toEqual({ file: join(process.cwd(), 'roster.jsonl'), keep: false });
    process.env.INIT_CWD = '/backups';
    expect(parse('roster.jsonl', '--keep')).toEqual({ file: '/backups/roster.jsonl', keep: true });
    expect(parse('/data/roster.jsonl')).toEqual({ file: '/data/roster.jsonl', keep: false });
  });

  it.each([
    ['no file', [], 'Name one file.'],
    ['two files', ['a', 'b'], 'Name one file.'],
    ['an unknown option', ['a', '--force'], "Unknown option '--force'"],
  ])('are refused with the usage: %s', (_what, args, message) => {
    expect(() => parse(...args)).toThrow(message);
    expect(() => parse(...args)).toThrow(USAGE);
  });

  it('may ask for help', () => {
    expect(parse('--help')).toBeUndefined();
    expect(() => parseArguments(['a', '--keep'], USAGE)).toThrow("Unknown option '--keep'");
  });
});
