import { STATUS_CODES } from 'node:http';
import { MAX_ITEMS, MAX_TITLE } from '../errors/error-body';
import { ErrorName, apiErrors } from '../errors/api-error';
import { fieldErrors } from '../errors/field-error';
import { headersOfFailure } from './headers';
import type { Reference, Response, Schema } from './open-api';

const status: Schema = { type: 'string', const: 'fail' };

/** The schemas of failure bodies (contract §2). */
export const failureSchemas: Record<string, Schema> = {
  Failure: {
    type: 'object',
    description: 'Why a request failed.',
    required: ['status', 'message', 'code'],
    properties: {
      status: { ...status, description: 'How it ended.' },
      message: { type: 'string', description: 'The reason, for people.', examples: [apiErrors.forbidden.message] },
      code: {
        type: 'integer',
        description: 'The reason, for programs: one of the codes of docs/errors.md.',
        enum: [...new Set(Object.values(apiErrors).map(({ code }) => code))].sort((one, other) => one - other),
      },
    },
    additionalProperties: false,
  },
  ValidationFailure: {
    type: 'object',
    description: 'The content of the body is not valid: all faults at once, one a field.',
    required: ['status', 'code', 'message'],
    properties: {
      status: { ...status, description: 'How it ended.' },
      code: { type: 'integer', const: apiErrors.invalidContent.code, description: 'Content that is not valid.' },
      message: {
        type: 'array',
        description: 'The faults, in the order of the fields, unknown fields last.',
        minItems: 1,
        maxItems: MAX_ITEMS,
        items: { $ref: '#/components/schemas/Fault' },
      },
    },
    additionalProperties: false,
  },
  Fault: {
    type: 'object',
    description: 'One faulty field.',
    required: ['code', 'title', 'detail'],
    properties: {
      code: {
        type: 'integer',
        description: 'What is wrong with it, for programs.',
        enum: Object.values(fieldErrors).map(({ code }) => code),
      },
      title: {
        type: 'string',
        maxLength: MAX_TITLE,
        description: 'The field, dotted.',
        examples: ['featuredApiIds.2'],
      },
      detail: {
        type: 'string',
        description: 'What is wrong with it, for people.',
        examples: [fieldErrors.missing.detail],
      },
    },
    additionalProperties: false,
  },
};

/** Keeps the answer for each set of failures once, for all operations that can end in it. */
export class FailureAnswers {
  readonly components: Record<string, Response> = {};

  /** The answer with that status, for these failures of the table. */
  reference(statusCode: number, names: readonly ErrorName[]): Reference {
    const key = keyOf(statusCode, names);
    this.components[key] ??= {
      description: names.map(describe).join('\n'),
      headers: headersOfFailure(statusCode),
      content: { 'application/json': { schema: schemaOf(names), example: exampleOf(names) } },
    };
    return { $ref: `#/components/responses/${key}` };
  }
}

/** `Conflict_1501_1510`: the codes where the status stands for several failures. */
function keyOf(statusCode: number, names: readonly ErrorName[]): string {
  const phrase = STATUS_CODES[statusCode]!.replaceAll(/[^A-Za-z]/g, '');
  const sharing = Object.values(apiErrors).filter((failure) => failure.status === statusCode);
  return sharing.length === 1 ? phrase : [phrase, ...names.map((name) => apiErrors[name].code)].join('_');
}

function describe(name: ErrorName): string {
  return `- \`${apiErrors[name].code}\` ${apiErrors[name].message}`;
}

function schemaOf(names: readonly ErrorName[]): Schema {
  const codes = names.filter((name) => name !== 'invalidContent').map((name) => apiErrors[name].code);
  const plain: Schema = { $ref: '#/components/schemas/Failure', properties: { code: { enum: codes } } };
  if (codes.length === names.length) return plain;
  return { oneOf: [plain, { $ref: '#/components/schemas/ValidationFailure' }] };
}

function exampleOf(names: readonly ErrorName[]): object {
  if (names.includes('invalidContent')) {
    const { code } = apiErrors.invalidContent;
    return {
      status: 'fail',
      code,
      message: [{ code: fieldErrors.missing.code, title: 'name', detail: 'is required' }],
    };
  }
  const { message, code } = apiErrors[names[0]!];
  return { status: 'fail', message, code };
}
