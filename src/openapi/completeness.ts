import { METHODS, OpenApi, OperationObject, Schema } from './open-api';

/**
 * What a reader of the document would miss: a summary, a tag, a success, the description of a parameter, the fields of a
 * record (the swagger plugin has not seen its class), the description or an example of a field. Also what the contract
 * excludes from schemas (§6).
 *
 * @returns one line each
 */
export function gapsIn({ paths, components }: OpenApi): string[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? gapsOfOperation(`${method} ${path}`, item[method]) : [])),
  );
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => gapsOfSchema(name, schema));
  return [...operations, ...schemas];
}

function gapsOfOperation(name: string, operation: OperationObject): string[] {
  const { summary, tags = [], parameters, requestBody, responses } = operation;
  const undescribed = parameters.filter((parameter) => 'in' in parameter && !parameter.description);
  const json = requestBody?.content['application/json'];
  const hasSuccess = Object.keys(responses).some((status) => status.startsWith('2'));
  return [
    ...(summary ? [] : [`${name} has no summary: add a comment to its handler.`]),
    ...(tags.length === 1 ? [] : [`${name} needs one tag: add @ApiTags(…) to its controller.`]),
    ...(undescribed.length === 0 ? [] : [`${name} has parameters without a description.`]),
    ...(!json || json.example !== undefined ? [] : [`${name} has a body without an example.`]),
    ...(hasSuccess ? [] : [`${name} has no success.`]),
    ...excludedIn(name, parameters),
  ];
}

const EXPLANATIONS = ['$ref', 'description', 'examples', 'enum', 'const'];

function gapsOfSchema(name: string, schema: Schema): string[] {
  const fields = Object.entries(schema.properties ?? {});
  if (schema.type === 'object' && fields.length === 0) return [`${name} has no fields: its file must end in .dto.ts.`];
  const unexplained = fields.filter(
    ([, field]) => !field.items?.$ref && !EXPLANATIONS.some((keyword) => field[keyword] !== undefined),
  );
  return [
    ...unexplained.map(([field]) => `${name}.${field} has neither a description nor an @example in its comment.`),
    ...excludedIn(name, schema),
  ];
}

function excludedIn(name: string, part: object): string[] {
  const text = JSON.stringify(part);
  return [
    ...(/\\p\{/i.test(text) ? [`${name} has a pattern with \\p{…}, which not every language knows.`] : []),
    ...(text.includes('"default":') ? [`${name} has a default: the service fills in defaults.`] : []),
  ];
}
