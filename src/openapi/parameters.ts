import { RECORD_ID } from '../http/record-id';
import type { OperationObject, Parameter, Reference } from './open-api';
import { Operation, takesIfMatch, takesIfNoneMatch } from './operations';

/** The request headers of operations (contract §2). */
export const parameterComponents: Record<string, Parameter> = {
  IfMatch: optionalHeader('If-Match', 'Apply the change only if the record still has one of these ETags.'),
  IfNoneMatch: optionalHeader('If-None-Match', 'Return 304 without a body if the record still has one of these ETags.'),
  Prefer: optionalHeader('Prefer', '`count=exact` adds the `X-Total-Count` header to the response.'),
};

function optionalHeader(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

/** The operation's parameters: those of the path, those of the query as the code declares them, request headers. */
export function parametersOf(operation: Operation): OperationObject['parameters'] {
  const { object, plan, resources } = operation;
  const schema = { type: 'string', pattern: RECORD_ID.source };
  return [
    ...resources.map(({ param, definition: { description } }): Parameter => {
      return { name: param, in: 'path', required: true, description: `${description}.`, schema };
    }),
    ...object.parameters.filter((parameter) => 'in' in parameter && parameter.in === 'query'),
    ...(takesIfMatch(operation) ? [reference('IfMatch')] : []),
    ...(takesIfNoneMatch(operation) ? [reference('IfNoneMatch')] : []),
    ...(plan.kind === 'list' ? [reference('Prefer')] : []),
  ];
}

function reference(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}
