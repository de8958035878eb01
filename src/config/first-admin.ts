import { Password } from '../validation/fields/password-fields';
import { EmailAddress, Username } from '../validation/fields/text-fields';
import { validateFields } from '../validation/fields/validate-fields';
import { FirstAdminSettings } from './settings';
import { Variables } from './variables';

/** The rules of a User (contract §3), which the first Admin is. */
class FirstAdminFields implements FirstAdminSettings {
  @Username()
  username!: string;

  @EmailAddress()
  email!: string;

  @Password()
  password!: string;
}

const variables = { username: 'ADMIN_USERNAME', email: 'ADMIN_EMAIL', password: 'ADMIN_PASSWORD' } as const;

/**
 * Reads the first Admin: all three variables or none.
 * @returns undefined when none of them is set, or when one cannot be used (which is noted)
 */
export function readFirstAdmin(read: Variables): FirstAdminSettings | undefined {
  const given = Object.entries(variables).map(([field, name]) => [field, read.text(name)] as const);
  if (given.every(([, value]) => value === undefined)) return undefined;
  const { value, fieldErrors } = validateFields(FirstAdminFields, Object.fromEntries(given));
  for (const { title, detail } of fieldErrors) {
    const name = variables[title as keyof FirstAdminSettings];
    if (read.text(name) !== undefined)
      read.wrong(name, { wanted: `one that ${detail}`, secret: name === 'ADMIN_PASSWORD' });
    else read.missing(name, { wanted: `${Object.values(variables).join(', ')} together, or none of them` });
  }
  const { username, email, password } = value;
  return fieldErrors.length > 0 ? undefined : Object.freeze({ username, email, password });
}
