import { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { version } from '../config/version';
import { alternativesOfBody, bodySchemaName, showExample } from './bodies';
import { gapsIn } from './completeness';
import { description, tags } from './description';
import { FailureAnswers, failureSchemas } from './failure-answers';
import { headerComponents, headersOfSuccess } from './headers';
import type { OpenApi, PathItem, Response, Schema } from './open-api';
import { operationId } from './operation-ids';
import { handlerId, Operation, operationsOf } from './operations';
import { isConditional, parameterComponents, parametersOf } from './parameters';
import { answerSchema, bodySchema } from './schemas';
import { failuresOf } from './statuses';

/**
 * The OpenAPI document of the service: what decorators and the swagger plugin say of each operation, completed by what
 * follows from the contract.
 *
 * @param app the assembled service, built by `nest build`: elsewhere the plugin does not run, and records have no fields
 * @throws Error that names everything that is left undocumented
 */
export function openApiDocument(app: INestApplication): OpenApi {
  const raw = rawDocument(app);
  const operations = operationsOf(app, raw);
  const failures = new FailureAnswers();
  const schemas = completeSchemas(raw.components.schemas, operations);
  for (const operation of operations) complete(operation, failures, schemas);
  const document: OpenApi = {
    openapi: raw.openapi,
    info: raw.info,
    servers: [{ url: '/' }],
    tags,
    paths: inOrder(operations),
    components: {
      schemas: sorted({ ...schemas, ...failureSchemas }),
      responses: sorted(failures.components),
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: raw.components.securitySchemes,
    },
  };
  const gaps = gapsIn(document);
  if (gaps.length > 0) throw new Error(`The OpenAPI document is not complete:\n${gaps.join('\n')}`);
  return document;
}

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
  return document as unknown as OpenApi;
}

function completeSchemas(raw: Record<string, Schema>, operations: readonly Operation[]): Record<string, Schema> {
  const alternatives = new Map(operations.map((one) => [bodySchemaName(one), alternativesOfBody(one)]));
  const completed = Object.entries(raw).map(([name, schema]): [string, Schema] => {
    const ofBody = alternatives.get(name);
    return [name, ofBody ? bodySchema(schema, ofBody) : answerSchema(schema)];
  });
  return Object.fromEntries(completed);
}

function complete(operation: Operation, failures: FailureAnswers, schemas: Record<string, Schema>): void {
  const { object, answer } = operation;
  object.operationId = operationId(operation);
  object.description = [object.description?.replaceAll('\n', ' '), `**Who:** ${String(object['x-access'])}`]
    .filter(Boolean)
    .join('\n\n');
  object.parameters = parametersOf(operation);
  showExample(operation, schemas);
  if (answer.kind === 'deleted') delete object.responses['200']; // the plugin's guess for every GET and DELETE
  for (const response of Object.values(object.responses) as Response[]) completeSuccess(operation, response);
  if (isConditional(operation)) {
    object.responses['304'] = { description: 'The record has not changed.', headers: headersOfSuccess(operation) };
  }
  for (const [status, names] of failuresOf(operation)) {
    object.responses[status] = failures.reference(status, names);
  }
}

function completeSuccess(operation: Operation, response: Response): void {
  response.headers = headersOfSuccess(operation);
  for (const media of Object.values(response.content ?? {})) {
    if (media.schema.type === 'object') media.schema.additionalProperties = false;
  }
}

/**
 * The paths in the order of the tags, each path once; where records are created comes before what is done with them.
 * @throws Error for an operation whose tag is not listed: it would be left out
 */
function inOrder(operations: readonly Operation[]): Record<string, PathItem> {
  const creating = new Set(operations.filter(({ method }) => method === 'post').map(({ path }) => path));
  const paths: Record<string, PathItem> = {};
  const unlisted = operations.filter(({ object }) => !tags.some(({ name }) => object.tags?.includes(name)));
  if (unlisted.length > 0) throw new Error(`description.ts lacks the tags of: ${unlisted.map(idOf).join(', ')}`);
  for (const { name } of tags) {
    const tagged = operations.filter(({ object }) => object.tags?.includes(name));
    const [first, then] = [true, false].map((wanted) => tagged.filter(({ path }) => creating.has(path) === wanted));
    for (const { path, method, object } of [...first!, ...then!]) paths[path] = { ...paths[path], [method]: object };
  }
  return paths;
}

function idOf({ object }: Operation): string {
  return object.operationId;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
