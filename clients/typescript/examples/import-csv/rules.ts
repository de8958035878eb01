import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BodyName } from './schemas.ts';

/** What is wrong with one field, as Roster says it. */
export interface FieldError {
  code: number;
  title: string;
  detail: string;
}

type Dto = new () => object;
export type Fields = Record<string, unknown>;
type Validate = (dto: Dto, values: object) => { value: Fields; fieldErrors: FieldError[] };

const require = createRequire(import.meta.url);
/** A module of the service, as `npm run build` compiles it: the dry run has the rules of the service itself. */
const load = <T>(file: string): T => require(join(import.meta.dirname, '../../../../dist', file)) as T;

/** Loads the class of a body. It takes a while, so not before it is needed. */
const DTOS: Record<BodyName, () => Dto> = {
  OrganizationInput: () =>
    load<{ OrganizationInput: Dto }>('registry/organizations/organization.dto.js').OrganizationInput,
  ApiInput: () => load<{ ApiInput: Dto }>('registry/apis/api.dto.js').ApiInput,
  UpdateApiConsumerInput: () =>
    load<{ UpdateConsumerInput: Dto }>('registry/consumers/consumer.dto.js').UpdateConsumerInput,
};

/** Loads the schema of the stored record. */
const SCHEMAS: Record<BodyName, () => object> = {
  OrganizationInput: () =>
    load<{ OrganizationSchema: object }>('registry/organizations/organization.schema.js').OrganizationSchema,
  ApiInput: () => load<{ ApiSchema: object }>('registry/apis/api.schema.js').ApiSchema,
  UpdateApiConsumerInput: () =>
    load<{ ConsumerSchema: object }>('registry/consumers/consumer.schema.js').ConsumerSchema,
};

interface UniqueKeys {
  uniqueIndexes: (schema: object) => { keyField: string; keys: string[]; taken: string }[];
  uniqueKeys: (schema: object, record: Fields) => Fields;
}

/** The key by which Roster compares names: equal for names that it takes for the same one. */
export const { uniqueKey } = load<{ uniqueKey: (name: string) => string }>('platform/base/text/case-fold.js');

/** Validates a body as Roster does, except for what depends on other records. `value` is what it would store. */
export function validate(name: BodyName, body: object): ReturnType<Validate> {
  require('reflect-metadata');
  const { validateFields } = load<{ validateFields: Validate }>('platform/http/fields/validate-fields.js');
  return validateFields(DTOS[name](), body);
}

/** What no two records have, by the unique indexes of the schema: this record's values, each with the error for it. */
export function uniqueValues(
  name: BodyName,
  record: Fields,
  schema = SCHEMAS[name](),
): [taken: string, value: string][] {
  const { uniqueIndexes, uniqueKeys } = load<UniqueKeys>('platform/records/schema/unique-keys.js');
  const stored: Fields = { ...record, ...uniqueKeys(schema, record) };
  return uniqueIndexes(schema).flatMap(({ keyField, keys, taken }) =>
    [stored[keyField] ?? []].flat().map((value): [string, string] => {
      return [taken, JSON.stringify([taken, ...keys.map((key) => (key === keyField ? value : stored[key]))])];
    }),
  );
}

/** The fields as Roster stores them; those that it would refuse stay as they are. */
export function normalized(name: BodyName, body: Fields): Fields {
  const { value, fieldErrors } = validate(name, body);
  const refused = new Set(fieldErrors.map(({ title }) => title.split('.')[0]));
  const entries = Object.entries(body).map(([field, sent]) => [field, refused.has(field) ? sent : value[field]]);
  return Object.fromEntries(entries) as Fields;
}

/** An error as the table of the service has it. */
export interface Failure {
  status: number;
  code: number;
  message: unknown;
}

/** The error with this name. */
export function failure(name: string): Failure {
  const { errors } = load<{ errors: Record<string, Failure> }>('registry/errors.js');
  const { status, code, message } = errors[name]!;
  return { status, code, message };
}

/** The 403 for a User whom an access rule does not allow it. */
export function forbidden(rule: 'manager' | 'addConsumer' | 'changeConsumer'): Failure {
  const { rules } = load<{ rules: Record<string, { who: string }> }>('registry/access-rules.js');
  return { ...failure('forbidden'), message: `Only ${rules[rule]!.who} may do this.` };
}
