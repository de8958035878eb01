import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shared } from '../bench/check.mjs';
import { applyBlock } from '../scripts/lib/walkthrough.mjs';

describe('npm run bench', () => {
  it('compares the fields that both services have', () => {
    const bodyOf = (...data: object[]) => ({ status: 200, body: { data } });
    const [own, peer] = [bodyOf({ name: 'Nets', country: null }), bodyOf({ name: 'Nets' })];
    expect([shared(own, peer), shared(peer, own)]).toEqual([peer, peer]);
    const others = bodyOf({ name: 'Other' }, { name: 'More' });
    expect([shared(own, others), shared(others, own)]).toEqual([peer, others]);
  });
});

describe('npx jest', () => {
  it('names npm test under an older Node.js', () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })";
    const args = ['-e', `${older}; require('./jest.config.js')`];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: join(__dirname, '..'), encoding: 'utf8' });
    expect(stderr).toMatch(/^The tests need Node\.js >=22\.22, and this is 22\.9\.0\. Run them with "npm test"/);
    expect(status).toBe(1);
  });
});

describe('npm run test:chaos', () => {
  it('starts services with the Node.js that it has downloaded, where it runs itself under an older one', () => {
    const older =
      "Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } }); process.execPath = '/older/node'";
    const program = `${older}; import('./scripts/lib/node.mjs').then(({ node }) => {
      node.use();
      console.log(process.execPath, process.env.PATH);
    })`;
    const { stdout } = spawnSync(process.execPath, ['-e', program], { cwd: join(__dirname, '..'), encoding: 'utf8' });
    expect(stdout).toMatch(/^(\S+\/\.cache\/node\/24\S+\/bin)\/node \1:/);
  });
});

describe('npm run test:extending', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-tools-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const change = (code: string) => applyBlock(folder, { kind: 'Change', path: 'list', code });
  beforeEach(() => writeFileSync(join(folder, 'list'), 'one\ntwo\none\nthree\n'));

  it('applies a change whose lines have one place', () => {
    change(' two\n+new\n@@\n-three\n+last\n');
    expect(readFileSync(join(folder, 'list'), 'utf8')).toBe('one\ntwo\nnew\none\nlast\n');
    expect(() => change(' one\n+new\n')).toThrow('has these lines 2 times');
  });

  it.each([' one\n two\n+new\n', '+new\n two\n one\n', ' one\n+new\n three\n'])(
    'refuses needless lines: %j',
    (code) => {
      expect(() => change(code)).toThrow('shows more of list than it needs');
    },
  );
});
