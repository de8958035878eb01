import { RECORD_ID } from '../http/record-id';
import type { OperationObject, Parameter, Reference } from './open-api';
import type { Operation } from './operations';
import { takesIfMatch } from './statuses';

/** The request headers of operations, all optional (contract §2). */
export const parameterComponents: Record<string, Parameter> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Do it only while the record has one of these ETags; `*` for any.',
    example: '*',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Answer 304 without a body while the record has one of these ETags.',
    example: '"1-999999"',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`count=exact` asks for `X-Total-Count`.',
    example: 'count=exact',
    schema: { type: 'string' },
  },
};

/** The operation's parameters: those of the path, of the query as the code declares them, and request headers. */
export function parametersOf(operation: Operation): OperationObject['parameters'] {
  const query = operation.object.parameters.filter((parameter) => 'in' in parameter && parameter.in === 'query');
  return [...pathParameters(operation), ...query, ...headerParameters(operation)];
}

function pathParameters({ resources }: Operation): Parameter[] {
  const schema = { type: 'string', pattern: RECORD_ID.source };
  return resources.map(({ param, definition: { description } }) => {
    return { name: param, in: 'path', required: true, description: `${description}.`, schema };
  });
}

/** Whether GET of one takes If-None-Match, and may answer 304. */
export function isConditional({ answer: { kind }, hasETag }: Operation): boolean {
  return hasETag && (kind === 'one' || kind === 'bytes');
}

function headerParameters(operation: Operation): Reference[] {
  return [
    ...(takesIfMatch(operation) ? [reference('IfMatch')] : []),
    ...(isConditional(operation) ? [reference('IfNoneMatch')] : []),
    ...(operation.answer.kind === 'list' ? [reference('Prefer')] : []),
  ];
}

function reference(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}
