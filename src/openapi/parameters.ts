import { RECORD_ID } from '../http/record-id';
import type { OperationObject, Parameter, Reference } from './open-api';
import type { Operation } from './operations';
import { takesIfMatch } from './statuses';

/** What the pieces of paths name, by the noun before them. */
const NAMED: Readonly<Record<string, string>> = {
  sessions: 'The session',
  users: 'The User',
  organizations: 'The Organization',
  managers: 'The Manager: the id of the User',
  apis: 'The Api',
  files: 'The File',
};

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
  return [...pathParameters(operation.path), ...query, ...headerParameters(operation)];
}

/** @throws Error for a noun that has no description here */
function pathParameters(path: string): Parameter[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith('{')) return [];
    const description = NAMED[segments[index - 1]!];
    if (description === undefined) throw new Error(`What ${segment} names in ${path} has no description.`);
    const schema = { type: 'string', pattern: RECORD_ID.source };
    return [
      { name: segment.slice(1, -1), in: 'path' as const, required: true, description: `${description}.`, schema },
    ];
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
