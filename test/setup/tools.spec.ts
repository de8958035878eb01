import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

describe('under an older Node.js', () => {
  const run = (version: string, program: string) => {
    const older = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
    return spawnSync(process.execPath, ['-e', older + program], { cwd: join(__dirname, '../..'), encoding: 'utf8' });
  };

  it('npx jest names npm test', () => {
    const { status, stderr } = run('22.9.0', "require('./jest.config.js')");
    expect(stderr).toMatch(/^The tests need Node\.js >=22\.22, and this is 22\.9\.0\. Run them with "npm test"/);
    expect(status).toBe(1);
  });

  it('npm run test:chaos starts services with the Node.js that it has downloaded', () => {
    const { stdout } = run(
      '20.0.0',
      `process.execPath = '/older/node';
       import('./scripts/lib/node.mjs').then(({ node }) => {
         node.use();
         console.log(process.execPath, process.env.PATH);
       })`,
    );
    expect(stdout).toMatch(/^(\S+\/\.cache\/node\/24\S+\/bin)\/node \1:/);
  });
});
