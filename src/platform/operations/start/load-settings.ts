import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { FirstAdminSettings, readSettings, Settings } from '../../base/settings/settings';
import { Variables } from '../../base/settings/variables';
import { Password } from '../../http/fields/password-fields';
import { EmailAddress, Username } from '../../http/fields/text-fields';
import { validateFields } from '../../http/fields/validate-fields';

/**
 * Reads the settings from the environment and, except in tests, from the file `.env` in the working directory, over
 * which the environment takes precedence. `process.env` stays as it is: child processes would inherit the file's
 * secrets.
 */
export function loadSettings(): Settings {
  const hasFile = process.env.NODE_ENV !== 'test' && existsSync('.env');
  const file = hasFile ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return settingsFrom({ ...file, ...process.env });
}

/** The settings that an environment describes, frozen. @throws StartError that lists every problem */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const variables = new Variables(env);
  const settings: Settings = { ...readSettings(variables), admin: readFirstAdmin(variables) };
  variables.throwProblems();
  return Object.freeze(settings);
}

/** The rules for Users apply to the first Admin, too. */
class FirstAdminFields implements FirstAdminSettings {
  @Username() username!: string;
  @EmailAddress() email!: string;
  @Password() password!: string;
}

const NAMES = { username: 'ADMIN_USERNAME', email: 'ADMIN_EMAIL', password: 'ADMIN_PASSWORD' } as const;

/** Reads the first Admin: all three variables, or none. One that is not valid is reported. */
function readFirstAdmin(variables: Variables): FirstAdminSettings | undefined {
  const given = Object.entries(NAMES).map(([field, name]) => [field, variables.text(name)] as const);
  if (given.every(([, value]) => value === undefined)) return undefined;
  const { value, fieldErrors } = validateFields(FirstAdminFields, Object.fromEntries(given));
  for (const { title, detail } of fieldErrors) {
    const name = NAMES[title as keyof FirstAdminSettings];
    if (variables.text(name) === undefined) variables.missing(name, `set ${Object.values(NAMES).join(', ')}, or none`);
    else variables.invalid(name, `it ${detail}`, { secret: name === NAMES.password });
  }
  const { username, email, password } = value;
  return Object.freeze({ username, email, password });
}
