import { STATUS_CODES } from 'node:http';
import { ErrorName, apiErrors } from '../errors/api-error';
import { MAX_ITEMS, MAX_TITLE } from '../errors/error-body';
import { fieldErrors } from '../errors/field-error';
import { headersOfError } from './headers';
import type { Reference, Response, Schema } from './open-api';
import { Operation, takesIfMatch } from './operations';

/** Errors that any operation can return (contract §1.1). */
const ANY_REQUEST: readonly ErrorName[] = [
  'unusableRequest',
  'invalidQuery',
  'requestTimeout',
  'uriTooLong',
  'expectationFailed',
  'headersTooLarge',
  'tooManyRequests',
  'unexpected',
  'databaseUnavailable',
  'maintenance',
  'overloaded',
];

const WITH_LOGIN: readonly ErrorName[] = ['noCredentials', 'tokenUnusable', 'accountGone'];
/** What `default` stands for. */
const ANY_ERROR: readonly ErrorName[] = [...ANY_REQUEST, ...WITH_LOGIN];
const WITH_BODY: readonly ErrorName[] = ['unusableBody', 'invalidContent', 'bodyTooLarge', 'unsupportedMediaType'];

/** The schemas of error bodies (contract §2). */
export const errorSchemas: Record<string, Schema> = {
  Error: envelope('Why a request failed.', {
    message: { type: 'string', description: 'The reason, for people.', examples: [apiErrors.forbidden.message] },
    code: { type: 'integer', description: 'The reason, for programs.', examples: [apiErrors.forbidden.code] },
  }),
  ValidationError: envelope('The body is not valid: all problems at once, one per field.', {
    code: { type: 'integer', const: apiErrors.invalidContent.code, description: 'The reason, for programs.' },
    message: {
      type: 'array',
      description: 'One field error per field, in the order of the fields; unknown fields come last.',
      minItems: 1,
      maxItems: MAX_ITEMS,
      items: { $ref: '#/components/schemas/FieldError' },
    },
  }),
  FieldError: {
    type: 'object',
    description: 'What is wrong with a field.',
    required: ['code', 'title', 'detail'],
    properties: {
      code: { type: 'integer', description: 'The problem, for programs.', examples: [fieldErrors.missing.code] },
      title: {
        type: 'string',
        maxLength: MAX_TITLE,
        description: "The field's name; an item of a list has its index.",
        examples: ['featuredApiIds.2'],
      },
      detail: { type: 'string', description: 'The problem, for people.', examples: [fieldErrors.missing.detail] },
    },
  },
};

function envelope(description: string, fields: Record<string, Schema>): Schema {
  const properties: Record<string, Schema> = { status: { type: 'string', const: 'fail' }, ...fields };
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The error responses of all operations; operations with the same errors share one. */
export class ErrorResponses {
  readonly components: Record<string, Response> = {
    Error: responseWith('default', ANY_ERROR, describeDefault()),
  };

  /** The operation's own error responses by status, and `default` for those that any request can get. */
  of(operation: Operation): Record<string, Reference> {
    const own = ownErrors(operation);
    const all = new Set([...own, ...ANY_REQUEST, ...(operation.rule === 'anyone' ? [] : WITH_LOGIN)]);
    const responses: Record<string, Reference> = { default: { $ref: '#/components/responses/Error' } };
    for (const status of new Set(own.map((name) => apiErrors[name].status))) {
      // A listed status hides the default response, so it lists the errors of both.
      const names = errorsWith(status).filter((name) => all.has(name));
      const key = keyOf(status, names);
      this.components[key] ??= responseWith(status, names);
      responses[status] = { $ref: `#/components/responses/${key}` };
    }
    return responses;
  }
}

function errorsWith(status: number): ErrorName[] {
  return (Object.keys(apiErrors) as ErrorName[]).filter((name) => apiErrors[name].status === status);
}

/** `Conflict_1501_1510`: with the codes if the status stands for several errors. */
function keyOf(status: number, names: readonly ErrorName[]): string {
  const phrase = STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, '');
  return errorsWith(status).length === 1 ? phrase : [phrase, ...names.map((name) => apiErrors[name].code)].join('_');
}

function ownErrors(operation: Operation): ErrorName[] {
  const { object, resources, rule, throws } = operation;
  return [
    ...(rule === 'anyone' || rule === 'account' ? [] : (['forbidden'] as const)),
    ...resources.map(({ definition }) => definition.notFound),
    ...(object.parameters.some((parameter) => 'in' in parameter && parameter.in === 'query')
      ? (['invalidQuery'] as const)
      : []),
    ...(object.requestBody ? WITH_BODY : []),
    ...(takesIfMatch(operation) ? (['preconditionFailed'] as const) : []),
    ...throws,
  ];
}

function responseWith(status: number | 'default', names: readonly ErrorName[], description = listOf(names)): Response {
  const error: Schema = { $ref: '#/components/schemas/Error' };
  const isValidation = names.includes('invalidContent');
  const schema = isValidation ? { anyOf: [error, { $ref: '#/components/schemas/ValidationError' }] } : error;
  return {
    description,
    headers: headersOfError(status),
    content: { 'application/json': { schema, example: exampleOf(isValidation ? 'invalidContent' : names[0]!) } },
  };
}

function listOf(names: readonly ErrorName[]): string {
  const lines = names.map((name) => `- \`${apiErrors[name].code}\` ${apiErrors[name].message}`);
  // Unescaped, `<token>` would be an HTML element.
  return lines.join('\n').replaceAll('<', '\\<');
}

/** The codes alone, because every operation has them. The link is relative to the document: /docs/errors. */
function describeDefault(): string {
  const codes = new Set(ANY_ERROR.map((name) => apiErrors[name].code));
  const list = [...codes].sort().map((code) => `\`${code}\``);
  return `An error that any request can get: ${list.join(', ')}. [All error codes](docs/errors)`;
}

function exampleOf(name: ErrorName): object {
  const { code, message } = apiErrors[name];
  if (name !== 'invalidContent') return { status: 'fail', message, code };
  return { status: 'fail', code, message: [{ ...fieldErrors.missing, title: 'name' }] };
}
