import { join } from 'node:path';
import { Program } from '../support/program.mjs';
import { useService } from '../support/service';
import { commands } from './command-lines';

/** Commands on the database, without words that stand for others. */
const QUICK = /^npm run (seed|admin|check:data|data:version)(?: -- ([^<…]+))?$/;
const lines = new Set(commands.map(({ line }) => line).filter((line) => QUICK.test(line) && line !== 'npm run admin'));

function run(line: string, MONGODB_URI: string): Program {
  const [, name = '', args = ''] = QUICK.exec(line)!;
  const script = join(__dirname, '../../scripts/command.mjs');
  return new Program([script, name, ...args.split(' ').filter(Boolean)], { NODE_ENV: 'test', MONGODB_URI });
}

describe('the commands of the documentation that work on a database, while the service runs', () => {
  const service = useService();

  it('are found', () => expect(lines.size).toBeGreaterThan(4));

  it.each([...lines])(
    'end without an error: %s',
    async (line) => {
      const program = run(line, service.databaseUri);
      expect([await program.end(), program.errors]).toEqual([0, expect.any(String)]);
    },
    60_000,
  );
});
