import { STATUS_CODES } from 'node:http';
import type { ResponseObject, ResponsesObject, SchemaObject } from '@nestjs/swagger';
import { type AccessRule, accessRules } from '../access/access-rules';
import { apiErrors, errorNames, type ErrorName } from '../../base/errors/api-error';
import { MAX_ITEMS, MAX_TITLE } from '../responses/error-body';
import { fieldErrors } from '../../base/errors/field-error';
import { documentedHeaders } from '../responses/documented-headers';
import type { Schemas } from './schemas';
import { capitalize } from '../../base/text/text';
import type { Operation } from './operations';

const statusOf = (name: ErrorName): number => apiErrors[name].status;

/** Errors that any operation can return (contract §1.1). */
const anyRequest = (): readonly ErrorName[] => [
  ...(['unusableRequest', 'invalidQuery'] as const),
  ...errorNames().filter(
    (name) => [408, 414, 417, 429, 431, 500, 503].includes(statusOf(name)) && name !== 'providerUnavailable',
  ),
];
const WITH_LOGIN: readonly ErrorName[] = [
  'noCredentials',
  'tokenUnusable',
  'accountGone',
  'apiKeyForbidden',
  'suspended',
  'noAccount',
  'providerUnavailable',
];
const WITH_BODY: readonly ErrorName[] = ['unusableBody', 'invalidContent', 'bodyTooLarge', 'unsupportedMediaType'];

/** The schemas of error bodies. */
export const errorSchemas: Schemas = {
  ErrorResponse: envelope('Why a request failed.', {
    message: { type: 'string', description: 'The reason, for people.', examples: [apiErrors.forbidden.message] },
    code: errorCode(apiErrors.forbidden),
  }),
  BadRequest: envelope('Why a request with a body was not understood, or what is wrong with each field of the body.', {
    // A text or a list, without `type` or `oneOf`: few generators of clients know what to do with alternatives.
    message: {
      description: `The reason, for people. With code ${apiErrors.invalidContent.code}, a list: one field error per field, in the order of the fields, at most ${MAX_ITEMS}; unknown fields come last. Otherwise a text.`,
      items: { $ref: '#/components/schemas/FieldError' },
    },
    code: errorCode(apiErrors.invalidContent),
  }),
  FieldError: {
    type: 'object',
    description: 'What is wrong with a field.',
    required: ['code', 'title', 'detail'],
    properties: {
      code: { ...errorCode(fieldErrors.missing), description: 'The problem, for programs.' },
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

function errorCode({ code }: { readonly code: number }): SchemaObject {
  return { type: 'integer', format: 'int32', description: 'The reason, for programs.', examples: [code] };
}

function envelope(description: string, fields: Schemas): SchemaObject {
  const properties: Schemas = { status: { type: 'string', enum: ['fail'] }, ...fields };
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The response `default`, with the codes of errors that any request can get. */
export function defaultResponse(): ResponseObject {
  const names = [...anyRequest(), ...WITH_LOGIN];
  const codes = new Set(names.map((name) => `\`${apiErrors[name].code}\``).sort());
  return {
    ...responseWith(names),
    description: `An error that any request can get: ${[...codes].join(', ')}. [All error codes](/docs/errors)`,
    headers: documentedHeaders('Link', 'WWW-Authenticate', 'Retry-After'),
  };
}

/**
 * The error responses of an operation, by status; components that are not there yet are added. One that operations share
 * is named after the last error of its own (`InvalidContent`), one with an error of `@Throws` after its operation
 * (`UpdateApiConflict`), so no name changes when an operation gets another error.
 */
export function errorResponses(operation: Operation, components: Record<string, ResponseObject>): ResponsesObject {
  const { object, rule, throws } = operation;
  const own = [...impliedErrors(operation), ...throws];
  const all = new Set([...own, ...anyRequest(), ...(rule === 'anyone' ? [] : WITH_LOGIN)]);
  const responses: ResponsesObject = { default: { $ref: '#/components/responses/AnyError' } };
  for (const status of new Set(own.map(statusOf))) {
    // A listed status hides the default response, so it lists the errors of both.
    const names = errorNames().filter((name) => statusOf(name) === status && all.has(name));
    const phrase = STATUS_CODES[status]!.replaceAll(' ', '');
    const isThrown = throws.some((name) => statusOf(name) === status);
    const component = capitalize(
      isThrown ? object.operationId + phrase : names.filter((name) => own.includes(name)).at(-1)!,
    );
    components[component] ??= responseWith(names);
    responses[status] = { $ref: `#/components/responses/${component}` };
  }
  return responses;
}

function impliedErrors({ object: { parameters, requestBody }, resources, rule }: Operation): ErrorName[] {
  const { credential }: AccessRule = accessRules[rule];
  return [
    ...(['anyone', 'account'].includes(rule) || credential ? [] : (['forbidden'] as const)),
    ...resources.map(({ definition }) => definition.notFound),
    ...(parameters.some((one) => one.in === 'query') ? (['invalidQuery'] as const) : []),
    ...(requestBody ? WITH_BODY : []),
    ...(parameters.some(({ name }) => name === 'If-Match') ? (['preconditionFailed'] as const) : []),
  ];
}

function responseWith(names: readonly ErrorName[]): ResponseObject {
  const isValidation = names.includes('invalidContent');
  const schema = { $ref: `#/components/schemas/${isValidation ? 'BadRequest' : 'ErrorResponse'}` };
  const isLogin = names.some((name) => statusOf(name) === 401);
  const hasHolder = names.some((name) => 'holderAt' in apiErrors[name]);
  const lines = names.map((name) => `- \`${apiErrors[name].code}\` ${apiErrors[name].message}`);
  return {
    description: lines.join('\n'),
    headers: documentedHeaders(
      'Link',
      ...(isLogin ? (['WWW-Authenticate'] as const) : []),
      ...(hasHolder ? (['Location'] as const) : []),
    ),
    content: { 'application/json': { schema, example: exampleOf(isValidation ? 'invalidContent' : names[0]!) } },
  };
}

function exampleOf(name: ErrorName): object {
  const { code, message } = apiErrors[name];
  if (name !== 'invalidContent') return { status: 'fail', message, code };
  return { status: 'fail', code, message: [{ ...fieldErrors.missing, title: 'name' }] };
}
