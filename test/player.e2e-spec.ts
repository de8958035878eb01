import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Minutes, as the main play logs in some hundred times and each login costs a slow hash. */
const PATIENCE = 10 * 60_000;

/** Plays one part against the built service as a process of its own (test/player/whole.mjs). */
async function play(part: string): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [join(__dirname, 'player/whole.mjs'), '--part', part]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, output };
}

/** The lines worth reading: what failed, and why. */
const troubleOf = (output: string): string[] => output.split('\n').filter((line) => !line.startsWith('ok '));

describe('a client that knows only the contract', () => {
  it.each([
    ['finds every promise kept, and the same records after a restart', 'main'],
    ['may register itself where registration is open', 'open'],
    ['is held to the limits of requests, logins, registrations and Organizations', 'limits'],
  ])(
    '%s',
    async (_promise, part) => {
      const { code, output } = await play(part);
      expect({ code, trouble: code === 0 ? [] : troubleOf(output) }).toEqual({ code: 0, trouble: [] });
    },
    PATIENCE,
  );
});
