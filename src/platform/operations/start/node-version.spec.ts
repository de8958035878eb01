import { engines } from '../../../../package.json';
import { oldNode } from './node-version';

test.each(['20.20.2', '22.21.1', '18.0.0'])(
  'Node.js %s is too old, in one sentence with the version of package.json',
  (version) => {
    const [, least] = /^>=(.+)$/.exec(engines.node)!;
    expect(oldNode(version)).toBe(
      `Node.js ${version} is too old: Roster needs ${least} or newer. See https://nodejs.org.`,
    );
  },
);

test.each(['22.22.0', '24.0.0', process.versions.node])('Node.js %s is not too old', (version) => {
  expect(oldNode(version)).toBeUndefined();
});
