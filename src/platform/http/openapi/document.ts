import { INestApplication } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { DocumentBuilder, type OpenAPIObject, type ResponseObject, SwaggerModule } from '@nestjs/swagger';
import type { Connection } from 'mongoose';
import { type AccessRule, accessRules } from '../access/access-rules';
import { CURRENT, Resources } from '../access/resources';
import { capitalize } from '../../base/text/text';
import { version } from '../../base/settings/version';
import { searchedFields } from '../../records/schema/derived-fields';
import { headerComponents } from '../responses/documented-headers';
import { EXAMPLE_ID, RECORD_ID, RECORD_ID_OR_ME } from '../record-id';
import { defaultResponse, errorResponses, errorSchemas } from './errors';
import { Operation, operationsOf } from './operations';
import { addExample, AND, assertNoneHidden, completeSchema, type Schemas } from './schemas';

/** What the document says about the API as a whole; texts in Markdown. */
export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  /** The groups of operations in their order: the tag of a controller (`@ApiTags`), and what it is about. */
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * Makes the OpenAPI document: what decorators and the swagger plugin say, completed by what follows from the contract.
 * @param about the API as a whole
 * @param app the service, built by `nest build`: without the swagger plugin, DTOs have no fields
 */
export function openApiDocument(app: INestApplication, about: ApiDescription): OpenAPIObject {
  const { paths, components, ...head } = rawDocument(app, about);
  const operations = operationsOf(app.get(Resources, { strict: false }), paths);
  const schemas: Schemas = { ...errorSchemas };
  const documented = (components?.schemas ?? {}) as Schemas;
  for (const [name, schema] of Object.entries(documented)) schemas[name] = completeSchema(name, schema, documented);
  const responses: Record<string, ResponseObject> = { AnyError: defaultResponse() };
  const { models } = app.get<Connection>(getConnectionToken(), { strict: false });
  for (const operation of operations) {
    describe(operation, models);
    complete(operation, responses, schemas);
  }
  return {
    ...head,
    paths: pathsOf(operations, Object.keys(about.tags)),
    components: { ...components, schemas: sorted(schemas), responses: sorted(responses) },
  };
}

/** Makes what Nest documents. Schemas are named after their DTO, without `Dto`. */
function rawDocument(app: INestApplication, { title, description, tags }: ApiDescription): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setVersion(version)
    .setDescription(description)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc('The HTTP contract', '/docs/contract')
    .addServer('/')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'The `accessToken` of a login, an API key (`roster_…`), or an access token of the identity provider.',
    });
  for (const { credential } of Object.values<AccessRule>({ ...accessRules })) {
    if (!credential) continue;
    const description = `${capitalize(credential.name)}.`;
    builder.addSecurity(credential.scheme, { type: 'http', scheme: 'bearer', description });
  }
  for (const [name, about] of Object.entries(tags)) builder.addTag(name, about);
  const base = builder.build();
  base.info.contact = { name: 'The operator of this service' };
  base.components = { ...base.components, headers: headerComponents };
  const document = SwaggerModule.createDocument(app, base);
  assertNoneHidden(Object.keys(document.components?.schemas ?? {}));
  const text = JSON.stringify(document).replaceAll(/"(#\/components\/schemas\/)?([A-Z]\w+)Dto"/g, '"$1$2"');
  return JSON.parse(text) as OpenAPIObject;
}

/** Adds to the comment of an operation what it does, which fields `q` searches, and who may call it. Some tools show nothing else. */
function describe({ object }: Operation, models: Connection['models']): void {
  const [, record = ''] = /\/(\w+)List"/.exec(JSON.stringify(object.responses)) ?? [];
  const takesQ = object.parameters.some(({ name }) => name === 'q');
  const fields = takesQ && models[record] ? searchedFields(models[record].schema) : [];
  const search = fields.length > 0 && `\`q\` searches ${AND.format(fields.map((name) => `\`${name}\``))}.`;
  const text = [`${object.summary}.`, object.description?.replaceAll('\n', ' '), search].filter(Boolean).join(' ');
  object.description = `${text}\n\n**Access:** ${object['x-access']}`;
}

function complete(operation: Operation, responses: Record<string, ResponseObject>, schemas: Schemas): void {
  const { object, resources } = operation;
  const inPath = resources.filter(({ param }) => param !== CURRENT);
  const ids = inPath.map(({ param, definition }) => ({
    name: param,
    in: 'path' as const,
    required: true,
    description: `${definition.description}.`,
    schema: { type: 'string', pattern: (definition.takesMe ? RECORD_ID_OR_ME : RECORD_ID).source },
    // Without it, tools that make up values may choose `me`.
    example: EXAMPLE_ID,
  }));
  // Every client sends User-Agent by itself.
  const others = object.parameters.filter((one) => one.in !== 'path' && one.name !== 'user-agent');
  // A search is what people want most of a list.
  const searchFirst = others.toSorted((one, other) => Number(other.name === 'q') - Number(one.name === 'q'));
  object.parameters = [...ids, ...searchFirst];
  const { registers, credential }: AccessRule = accessRules[operation.rule];
  object.security = credential ? [{ [credential.scheme]: [] }] : (object.security ?? []);
  const hasFields = addExample(object, schemas);
  if ((registers || !hasFields) && object.requestBody && 'content' in object.requestBody)
    object.requestBody.required = false;
  Object.assign(object.responses, errorResponses(operation, responses));
}

/** The paths in the order of the tags; first operations without a login, then paths under which records are created. */
function pathsOf(operations: readonly Operation[], tags: readonly string[]): OpenAPIObject['paths'] {
  const creating = new Set(operations.filter(({ method }) => method === 'post').map(({ path }) => path));
  const rank = ({ path, object, rule }: Operation): number => {
    const tag = tags.findIndex((name) => object.tags?.includes(name));
    const place = rule === 'anyone' ? 0 : creating.has(path) ? 1 : 2;
    return 3 * tag + place;
  };
  const paths: OpenAPIObject['paths'] = {};
  for (const { path, method, object } of operations.toSorted((one, other) => rank(one) - rank(other))) {
    paths[path] = { ...paths[path], [method]: object };
  }
  return paths;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
