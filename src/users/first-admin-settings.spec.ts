import { SettingsError } from '../config/start-error';
import { Variables } from '../config/variables';
import { readFirstAdmin } from './first-admin-settings';

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const variables = new Variables(env);
  const admin = readFirstAdmin(variables);
  try {
    variables.throwProblems();
    return [];
  } catch (error) {
    expect(admin).toBeUndefined();
    return (error as SettingsError).problems;
  }
}

describe('readFirstAdmin', () => {
  const admin = { ADMIN_USERNAME: 'root-1', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };

  it('reads the three variables', () => {
    expect(readFirstAdmin(new Variables(admin))).toEqual({
      username: 'root-1',
      email: 'root@example.org',
      password: 'correct horse',
    });
  });

  it('requires all three or none', () => {
    const problems = problemsOf({ ADMIN_EMAIL: admin.ADMIN_EMAIL });
    expect(problems).toEqual(
      ['ADMIN_USERNAME', 'ADMIN_PASSWORD'].map(
        (name) => `${name} is not set; set ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD, or none`,
      ),
    );
  });

  it.each([
    ['ADMIN_USERNAME', ['ab', '_abc', '-abc', 'a b c', 'ünï', 'a'.repeat(31)]],
    ['ADMIN_EMAIL', ['root', '@example.org', 'root@', 'a b@c', `a@${'b'.repeat(253)}`]],
    ['ADMIN_PASSWORD', ['s3cr3t!', '€'.repeat(129), 'Password123']],
  ])('checks %s like that of a User', (name, wrong) => {
    for (const given of wrong) {
      const problems = problemsOf({ ...admin, [name]: given });
      expect(problems).toEqual([expect.stringMatching(`^${name} is .*; it `)]);
      if (name === 'ADMIN_PASSWORD') expect(problems[0]).not.toContain(given);
    }
  });

  it('counts code points in the password', () => {
    expect(problemsOf({ ...admin, ADMIN_PASSWORD: '😀x'.repeat(64) })).toEqual([]);
    expect(problemsOf({ ...admin, ADMIN_PASSWORD: '😀'.repeat(7) })).toEqual([
      'ADMIN_PASSWORD is 28 bytes long (not shown); it must be at least 8 characters long',
    ]);
  });
});
