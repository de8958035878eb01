import { METHODS, OpenApi, OperationObject, Schema } from './open-api';

/**
 * What a reader of the document would miss: an operation without a summary, a tag or an answer, a parameter without
 * description, a record without fields (the swagger plugin has not seen its class), a field that neither says what it
 * is nor shows it.
 *
 * @returns one line each
 */
export function gapsIn(document: OpenApi): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? gapsOfOperation(`${method} ${path}`, item[method]) : [])),
  );
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => gapsOfSchema(name, schema));
  return [...operations, ...schemas];
}

function gapsOfOperation(name: string, operation: OperationObject): string[] {
  const { summary, tags = [], parameters, requestBody, responses } = operation;
  const undescribed = parameters.filter((parameter) => 'in' in parameter && !parameter.description);
  const json = requestBody?.content['application/json'];
  const hasSuccess = Object.keys(responses).some((status) => status.startsWith('2'));
  return [
    ...(summary ? [] : [`${name} has no summary.`]),
    ...(tags.length === 1 ? [] : [`${name} has not one tag.`]),
    ...(undescribed.length === 0 ? [] : [`${name} has parameters without description.`]),
    ...(!json || json.example !== undefined ? [] : [`${name} has a body without example.`]),
    ...(hasSuccess ? [] : [`${name} has no success.`]),
  ];
}

function gapsOfSchema(name: string, schema: Schema): string[] {
  const fields = Object.entries(schema.properties ?? {});
  if (schema.type === 'object' && fields.length === 0) return [`${name} has no fields.`];
  return fields
    .filter(([, field]) => !field.$ref && !field.description && field.examples === undefined && !('enum' in field))
    .map(([field]) => `${name}.${field} has neither description nor example.`);
}
