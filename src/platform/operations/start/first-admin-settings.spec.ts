import { Variables } from '../../base/settings/variables';
import { readFirstAdmin } from './first-admin-settings';

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const variables = new Variables(env);
  const admin = readFirstAdmin(variables);
  if (variables.problems.length > 0) expect(admin).toBeUndefined();
  return variables.problems;
}

describe('readFirstAdmin', () => {
  const admin = { ADMIN_USERNAME: 'root-1', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };

  it('requires all three or none', () => {
    const advice = 'is not set; set ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD, or none';
    const problems = ['ADMIN_USERNAME', 'ADMIN_PASSWORD'].map((name) => `${name} ${advice}`);
    expect(problemsOf({ ADMIN_EMAIL: admin.ADMIN_EMAIL })).toEqual(problems);
  });

  it.each([
    ['ADMIN_USERNAME', ['ab', '_abc', '-abc', 'a b c', 'ünï', 'a'.repeat(31)]],
    ['ADMIN_EMAIL', ['root', '@example.org', 'root@', 'a b@c', `a@${'b'.repeat(253)}`]],
    ['ADMIN_PASSWORD', ['s3cr3t!', '😀'.repeat(7), '€'.repeat(129), 'Password123']],
  ])('checks %s like that of a User', (name, wrong) => {
    for (const given of wrong) {
      const problems = problemsOf({ ...admin, [name]: given });
      expect(problems).toEqual([expect.stringMatching(`^${name} is .*; it `)]);
      if (name === 'ADMIN_PASSWORD') expect(problems[0]).toMatch(/ bytes long \(not shown\); /);
    }
  });
});
