import { tags } from './description';
import type { OpenApi, Schema } from './open-api';
import type { Operation } from './operations';

/**
 * What a reader of the document would miss: a summary, a tag, a success, the description of a parameter, the fields of a
 * record (the swagger plugin has not seen its class), the description or an example of a field. Also what the contract
 * excludes from schemas (§3 Integers, §6).
 *
 * @returns one line each
 */
export function gapsIn({ components }: OpenApi, operations: readonly Operation[]): string[] {
  const used = new Set(operations.flatMap(({ object }) => object.tags ?? []));
  const unused = tags.filter(({ name }) => !used.has(name));
  return [
    ...operations.flatMap(gapsOfOperation),
    ...unused.map(({ name }) => adviceOnUnused(name)),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => gapsOfSchema(name, schema)),
  ];
}

function adviceOnUnused(tag: string): string {
  const cause = `no controller of a module in src/app.module.ts has @ApiTags('${tag}')`;
  return `The tag ${tag} of src/openapi/description.ts has no operation: ${cause}.`;
}

function gapsOfOperation({ handler, object }: Operation): string[] {
  const { summary, tags: own = [], parameters, requestBody, responses } = object;
  const unlisted = own.filter((tag) => !tags.some(({ name }) => name === tag));
  const undescribed = parameters.filter((parameter) => 'in' in parameter && !parameter.description);
  const json = requestBody?.content['application/json'];
  const hasSuccess = Object.keys(responses).some((status) => status.startsWith('2'));
  return [
    ...(summary ? [] : [`${handler} has no summary: add a comment to it.`]),
    ...(own.length === 1 ? [] : [`${handler} needs one tag: add @ApiTags(…) to its controller.`]),
    ...unlisted.map(
      (tag) => `${handler} has the tag ${tag}: add it to src/openapi/description.ts, or set @ApiTags(…).`,
    ),
    ...(undescribed.length === 0 ? [] : [`${handler} has parameters without a description.`]),
    ...(!json || json.example !== undefined ? [] : [`${handler} has a body without an example.`]),
    ...(hasSuccess ? [] : [`${handler} has no success.`]),
    ...excludedIn(handler, parameters),
  ];
}

const EXPLANATIONS = ['$ref', 'description', 'examples', 'enum', 'const'];

function gapsOfSchema(name: string, schema: Schema): string[] {
  const fields = Object.entries(schema.properties ?? {});
  if (schema.type === 'object' && fields.length === 0) return [`${name} has no fields: its file must end in .dto.ts.`];
  const numbers = fields.filter(([, { type }]) => [type].flat().includes('number'));
  const unexplained = fields.filter(
    ([, field]) => !field.items?.$ref && !EXPLANATIONS.some((keyword) => field[keyword] !== undefined),
  );
  return [
    ...numbers.map(
      ([field]) => `${name}.${field} may be a fraction: use @ResponseField('integer') in its .dto.ts file.`,
    ),
    ...unexplained.map(
      ([field]) => `${name}.${field} has neither a description nor an @example: add a comment in its .dto.ts file.`,
    ),
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
