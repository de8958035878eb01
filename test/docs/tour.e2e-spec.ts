import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN, useService } from '../support/service';

/** The tour begins in the first; the second continues it for operators, the third for everybody. */
const PAGES = ['README.md', 'docs/operating.md', 'docs/tour.md'];
/** An `sh` block with the `text` block under it: the lines to run, and what they show. */
const STEP = /^```sh\n(.*?)```\n\n```text\n(.*?)```/gms;
const steps = PAGES.map((path) => readFileSync(join(__dirname, '../..', path), 'utf8')).flatMap((page) =>
  [...page.matchAll(STEP)].map(([, lines = '', shown = '']) => ({ lines, shown })),
);
const MARK = '=== end of step ===';

/** `…` in what is shown stands for anything within a line. */
const asPattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trim()
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '.+?')}$`,
  );

describe.each(['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0))(
  'the tour in %s',
  (shell) => {
    const service = useService();

    it('shows what its pages say, and deletes at its end what it made', async () => {
      const script = steps.map(({ lines }) => `${lines}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
      const env = { ...process.env, ROSTER: await service.url(), PASSWORD: ADMIN.password };
      const { stdout } = await promisify(execFile)(shell, ['-c', `exec 2>&1\n${script}`], { env });
      const shown = stdout.split(MARK).map((text) => text.trim());
      expect(steps.length).toBeGreaterThan(12);
      for (const [index, step] of steps.entries()) expect(shown[index]).toMatch(asPattern(step.shown));
      expect((await service.admin.get('/organizations')).body.data).toEqual([]);
      expect((await service.admin.get('/users')).body.data).toMatchObject([{ username: ADMIN.username }]);
    });
  },
);
