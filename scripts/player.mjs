/** `npm run test:player`: plays all parts of test/player against the built service. See docs/testing.md. */
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/processes.mjs';
import { runMain, say } from './lib/steps.mjs';

runMain(async () => {
  const node = await prepare({ build: true, database: true });
  let failed = 0;
  for (const part of ['main', 'open', 'limits']) {
    say(`· The player: ${part} …`);
    if ((await run(node, ['test/player/whole.mjs', '--part', part])) !== 0) failed += 1;
  }
  say(failed === 0 ? '✔ The player' : `✖ The player: ${failed} of 3 parts failed`);
  return failed === 0 ? 0 : 1;
});
