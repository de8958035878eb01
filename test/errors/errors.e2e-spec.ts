import { ErrorName, apiErrors } from '../../src/platform/base/errors/api-error';
import { optionsOf } from '../../src/platform/records/schema/field-options';
import { conflictsOf } from '../support/operations';
import { references } from '../support/references';
import { notFoundOf, operations, resourceOf, sceneFile, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';
import { platformErrors, type Shown } from './platform-errors';

const service = useService();

/** The requests of the scenes that cause an error. */
const ofScenes = Object.assign({}, ...[...scenes.values()].map(({ errors }) => errors)) as NonNullable<
  ReturnType<typeof scenes.get>
>['errors'];

/** Causes the error. */
function cause(name: ErrorName): Promise<Shown | [Shown, unknown]> {
  const request: (stage: Stage) => Promise<Shown | [Shown, unknown]> = ofScenes?.[name] ?? platformErrors[name]!;
  return Stage.of(service).then(request);
}

/** Where the request of an error belongs: an operation that names the error has a scene. */
function placeOf(name: ErrorName): string {
  const throwing = operations.filter((operation) => conflictsOf(operation).includes(name));
  const resources = new Set(throwing.map(resourceOf));
  if (resources.size === 0) return `\`errors\` of ${sceneFile('<resource>')}, or test/errors/platform-errors.ts`;
  return `\`errors\` of ${[...resources].map(sceneFile).join(' or ')}`;
}

describe('every error of the table', () => {
  it('has a request that causes it, here or in another test of all resources', () => {
    const fields = Object.values(service.connection.models).flatMap(({ schema }) => Object.values(schema.paths));
    const elsewhere = [
      // test/contract: order, limits, references and unique.
      ...[...scenes.keys()].map(notFoundOf),
      ...[...scenes.values()].flatMap(({ limits = [] }) => limits.map(({ error }) => error)),
      ...references.map(({ refuses }) => refuses),
      ...fields.map(optionsOf).flatMap(({ taken, limit }) => [taken, limit?.error]),
    ];
    const all = Object.keys(apiErrors) as ErrorName[];
    const missing = all.filter((name) => !ofScenes?.[name] && !platformErrors[name] && !elsewhere.includes(name));
    expect(missing.map((name) => `${name} has no request: add one to ${placeOf(name)}.`)).toEqual([]);
  });

  it.each(Object.keys({ ...platformErrors, ...ofScenes }) as ErrorName[])(
    'is caused by a request: %s',
    async (name) => {
      const [{ status, body }, own] = [await cause(name)].flat() as [Shown, unknown];
      const { message, ...row } = apiErrors[name];
      expect({ status, code: body.code }).toEqual(row);
      const members = name === 'invalidContent' ? ['status', 'code', 'message'] : ['status', 'message', 'code'];
      expect(Object.keys(body)).toEqual(members);
      expect(body.status).toBe('fail');
      if (name === 'invalidContent') expect(body.message).toHaveLength(2);
      else expect(body.message).toEqual(own ?? message);
    },
  );
});
