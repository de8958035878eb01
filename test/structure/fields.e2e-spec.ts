import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { Schema, SchemaType } from 'mongoose';
import { searchedFields } from '../../src/platform/records/schema/derived-fields';
import { responseFieldsOf, toResponse } from '../../src/platform/http/responses/response-fields';
import type { RouteSettings } from '../../src/platform/http/responses/response';
import { readOnlyFieldsOf } from '../../src/platform/http/fields/read-only-fields';
import { requestFieldsOf } from '../../src/platform/http/fields/field';
import { bodiesOf, declaredOperations } from '../support/operations';
import { useService } from '../support/service';

/** Stored fields that no response shows although queries return them, with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  revision: 'shown as the ETag',
  AdminGuard: 'no resource: the document that serializes changes of Admins',
  Link: 'an Invitation, and what its holder sees, show some of it',
  'Session.tokenHash': 'secret; `sessions` as a whole is select: false in User',
  'Session.usedTokens': 'secret, like tokenHash',
  'Consumer.consumerId': 'shown as `_id`',
  'Consumer.apiId': 'in the path',
  'Consumer.organizationId': 'that of the API',
  'Consumer.updatedAt': 'the time of its Events',
};

/** Fields that requests take and no record has under this name, with the reason. */
const NOT_STORED: Readonly<Record<string, string>> = {
  'User.password': 'stored as passwordHash',
  'User.currentPassword': 'only compared',
  'Organization.managerIds': 'only compared with `managers`',
};

/** Fields that responses show and that are stored in another record, with the reason. */
const OF_ANOTHER: Readonly<Record<string, string>> = {
  'Consumer.name': 'that of the Organization',
  'Consumer.slug': 'that of the Organization',
};

type Dto = new () => object;

/** A path of a schema, at its top level. */
interface Field {
  readonly name: string;
  readonly type: SchemaType;
  /** The schema of an embedded record, or of a list of them. */
  readonly embedded: Schema | undefined;
  /** `select: false`. */
  readonly isInternal: boolean;
}

/** The paths of a schema in their order. */
function fieldsOf(schema: Schema): Field[] {
  const fields: Field[] = [];
  schema.eachPath((name, type) => {
    const { select } = type.options as { select?: boolean };
    const embedded = type.schema ?? type.getEmbeddedSchemaType()?.schema;
    fields.push({ name, type, embedded, isInternal: select === false });
  });
  return fields;
}

/** A Model or an embedded schema, with the DTOs of the operations that return it. */
interface Resource {
  readonly name: string;
  readonly schema: Schema;
  readonly isModel: boolean;
  readonly response: Dto | undefined;
  readonly requests: readonly Dto[];
}

const service = useService();
let resources: Resource[];
const models = (): Resource[] => resources.filter(({ isModel }) => isModel);
beforeAll(() => void (resources = findResources()));

/** `OrganizationDto` shows the Model Organization, `ManagerDto` the embedded schema of `managers`. */
function findResources(): Resource[] {
  const operations = findOperations();
  const withDtos = (name: string, schema: Schema, isModel: boolean): Resource => {
    const own = operations.filter(({ response }) => response.name === `${name}Dto`);
    const requests = new Set(own.flatMap(({ requests }) => requests));
    return { name, schema, isModel, response: own[0]?.response, requests: [...requests] };
  };
  const models = Object.values(service.connection.models).map(({ modelName, schema }) =>
    withDtos(modelName, schema as Schema, true),
  );
  const embedded = models.flatMap(({ schema }) =>
    fieldsOf(schema).flatMap(({ name, embedded }) => (embedded ? [withDtos(singular(name), embedded, false)] : [])),
  );
  return [...models, ...embedded.filter(({ response }) => response !== undefined)];
}

/** The DTOs of every operation that returns a record or a list. */
function findOperations(): { response: Dto; requests: Dto[] }[] {
  return declaredOperations().flatMap((operation) => {
    const { response } = (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, operation.handler) ?? {}) as RouteSettings;
    return response?.dto ? [{ response: response.dto, requests: bodiesOf(operation) }] : [];
  });
}

/** `managers` → `Manager`. */
function singular(path: string): string {
  return `${path.charAt(0).toUpperCase()}${path.slice(1)}`.replace(/s$/, '');
}

/** The fields of a record that its response is made from: whatever is read of a record that has every field. */
function readBy(dto: Dto): Set<string> {
  const names = new Set<string>();
  const anything: object = new Proxy(() => undefined, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : anything),
    apply: () => anything,
  });
  const record = new Proxy({}, { get: (_, name) => names.add(String(name)) && anything });
  toResponse(dto, record);
  return names;
}

const isExcepted = (exceptions: object, resource: string, field: string): boolean =>
  [field, resource, `${resource}.${field}`].some((name) => name in exceptions);

describe('every stored field', () => {
  it('is in a response, or internal', () => {
    const forgotten = resources.flatMap(({ name, schema, response }) => {
      const shown: Set<string> = response ? readBy(response) : new Set();
      return fieldsOf(schema)
        .filter((field) => !field.isInternal && !shown.has(field.name) && !isExcepted(NOT_SHOWN, name, field.name))
        .map((field) => `${name}.${field.name}: add it to ${name}Dto, or mark it select: false in the schema.`);
    });
    expect(forgotten).toEqual([]);
  });

  it('that a response shows may be sent back', () => {
    const forgotten = resources.flatMap(({ name, response, requests }) =>
      requests.flatMap((request) => {
        const accepted = new Set([...requestFieldsOf(request), ...readOnlyFieldsOf(request)]);
        const refused = (response ? responseFieldsOf(response) : []).filter(([field]) => !accepted.has(field));
        return refused.map(([field]) => `${name}.${field}: add it to ${request.name}, or to its @ReadOnlyFields.`);
      }),
    );
    expect(forgotten).toEqual([]);
  });
});

test('what a schema marks as searched or unique is not in a list, nor, if unique, in an object', () => {
  const marked = (schema: Schema, mark: string): string[] =>
    fieldsOf(schema).flatMap(({ name, type, embedded }) => [
      ...(mark in type.options ? [name] : []),
      ...(embedded ? marked(embedded, mark).map((path) => `${name}.${path}`) : []),
    ]);
  for (const { name, schema } of models()) {
    expect([name, marked(schema, 'searched').sort()]).toEqual([name, searchedFields(schema).toSorted()]);
    expect([name, marked(schema, 'keyField').filter((path) => path.includes('.'))]).toEqual([name, []]);
  }
});

describe('every field of a DTO', () => {
  it('is stored, if requests take it', () => {
    const forgotten = models().flatMap(({ name, schema, requests }) =>
      requests.flatMap((request) =>
        requestFieldsOf(request)
          .filter((field) => !schema.path(field) && !isExcepted(NOT_STORED, name, field))
          .map((field) => `${request.name}.${field}: add it to the schema of ${name}.`),
      ),
    );
    expect(forgotten).toEqual([]);
  });

  it('is read from a stored field, if responses show it', () => {
    const forgotten = models().flatMap(({ name, schema, response }) => {
      const read = response ? [...readBy(response)] : [];
      const lost = read.filter((field) => !schema.path(field) && !isExcepted(OF_ANOTHER, name, field));
      return lost.map((field) => `${response!.name} reads ${field}: add it to the schema of ${name}.`);
    });
    expect(forgotten).toEqual([]);
  });
});
