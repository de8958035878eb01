import { visibleText } from '../../platform/base/text/text';
import { requestFieldsOf } from '../../platform/http/fields/field';
import { validateFields } from '../../platform/http/fields/validate-fields';
import { Api } from '../../registry/apis/api.schema';
import { ApiInput } from '../../registry/apis/api.dto';
import { UpdateConsumerInput } from '../../registry/consumers/consumer.dto';
import { Consumer } from '../../registry/consumers/consumer.schema';
import { OrganizationInput } from '../../registry/organizations/organization.dto';
import { Organization } from '../../registry/organizations/organization.schema';
import { UpdateUserInput } from '../../registry/users/user.dto';
import { User } from '../../registry/users/user.schema';
import type { Check, Stored } from './finding';

/** The rules of the records that a PUT changes. */
export const INPUTS: Readonly<Record<string, new () => object>> = {
  [User.name]: UpdateUserInput,
  [Organization.name]: OrganizationInput,
  [Api.name]: ApiInput,
  [Consumer.name]: UpdateConsumerInput,
};

/** The longest part of a value that is shown. */
const SHOWN = 100;

/**
 * Finds values that were valid when they were stored, and that a request would be refused for today. They stay valid
 * until a PUT changes them (contract §1.5), so they break no invariant.
 */
export function valuesChecks(modelName: string): Check[] {
  const dto = INPUTS[modelName];
  return dto ? [() => (record) => refusedValues(dto, record)] : [];
}

function refusedValues(dto: new () => object, record: Stored): { problem: string; isNote: true }[] {
  const fields = requestFieldsOf(dto).map((name) => [name, record[name] ?? undefined]);
  // As responses show them: ids as text.
  const values = JSON.parse(JSON.stringify(Object.fromEntries(fields))) as object;
  return validateFields(dto, values).fieldErrors.map(({ title, detail }) => {
    const value = title.split('.').reduce<unknown>((one, name) => (one as Record<string, unknown>)?.[name], values);
    const shown = value === undefined ? title : `${title} ${quoted(value)}`;
    return { problem: `${shown} would be refused today: it ${detail}`, isNote: true };
  });
}

/** A stored value must not write to the terminal. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return visibleText(shown);
}
