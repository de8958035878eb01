import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { version } from '../config/version';
import { gapsIn } from './completeness';
import { description, tags } from './description';
import { ErrorResponses, errorSchemas } from './error-responses';
import { headerComponents, headersOfSuccess } from './headers';
import type { OpenApi, PathItem, Response, Schema } from './open-api';
import { handlerId, Operation, operationsOf, takesIfNoneMatch } from './operations';
import { parameterComponents, parametersOf } from './parameters';
import { addExample, completeSchema, nameWrapper } from './schemas';

/**
 * The OpenAPI document of the service: what decorators and the swagger plugin say about each operation, completed by
 * what follows from the contract.
 *
 * @param app the service, built by `nest build`: the swagger plugin runs nowhere else, and without it DTOs have no fields
 * @throws Error with a line for everything that is undocumented
 */
export function openApiDocument(app: INestApplication): OpenApi {
  const raw = rawDocument(app);
  const operations = operationsOf(app, raw);
  const errors = new ErrorResponses();
  const schemas: Record<string, Schema> = { ...errorSchemas };
  for (const [name, schema] of Object.entries(raw.components.schemas)) {
    schemas[name] = completeSchema(name, schema, operations);
  }
  for (const operation of operations) complete(operation, errors, schemas);
  const document: OpenApi = {
    openapi: raw.openapi,
    info: { ...raw.info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags,
    paths: pathsOf(operations),
    components: {
      schemas: sorted(schemas),
      responses: sorted(errors.components),
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: raw.components.securitySchemes,
    },
  };
  const gaps = gapsIn(document, operations);
  if (gaps.length > 0) throw new Error(`The OpenAPI document is not complete:\n${gaps.join('\n')}`);
  return document;
}

/** What Nest documents. Schemas are named after their DTO, without `Dto`. */
function rawDocument(app: INestApplication): OpenApi {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Roster')
    .setVersion(version)
    .setDescription(description)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `accessToken` of a login.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: handlerId });
  const text = JSON.stringify(document).replaceAll(/"(#\/components\/schemas\/)?([A-Z]\w+)Dto"/g, '"$1$2"');
  return JSON.parse(text) as OpenApi;
}

function complete(operation: Operation, errors: ErrorResponses, schemas: Record<string, Schema>): void {
  const { object, plan } = operation;
  const { summary = '', responses } = object;
  const access = `**Access:** ${String(object['x-access'])}`;
  object.description = [object.description?.replaceAll('\n', ' '), access].filter(Boolean).join('\n\n');
  object.parameters = parametersOf(operation);
  object.security ??= [];
  addExample(operation, schemas);
  if (plan.kind === 'deleted') delete responses['200']; // added by the swagger plugin
  const headers = headersOfSuccess(operation);
  for (const response of Object.values(responses) as Response[]) {
    response.headers = headers;
    if (plan.kind === 'list') response.description = `${summary.replace('List', 'A page of')}.`;
    nameWrapper(response, schemas);
  }
  if (takesIfNoneMatch(operation)) responses['304'] = { description: 'The record has not changed.', headers };
  Object.assign(responses, errors.of(operation));
}

/**
 * The paths in the order of the tags. Within a tag, operations that need no login come first (*Log in*), then paths under
 * which records are created.
 */
function pathsOf(operations: readonly Operation[]): Record<string, PathItem> {
  const creating = new Set(operations.filter(({ method }) => method === 'post').map(({ path }) => path));
  const rank = ({ path, object, rule }: Operation): number => {
    const tag = tags.findIndex(({ name }) => object.tags?.includes(name));
    const place = rule === 'anyone' ? 0 : creating.has(path) ? 1 : 2;
    return 3 * tag + place;
  };
  const paths: Record<string, PathItem> = {};
  for (const { path, method, object } of operations.toSorted((one, other) => rank(one) - rank(other))) {
    paths[path] = { ...paths[path], [method]: object };
  }
  return paths;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
