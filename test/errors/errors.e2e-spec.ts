import { ErrorName, apiErrors } from '../../src/platform/base/errors/api-error';
import { optionsOf } from '../../src/platform/records/field-options';
import { references } from '../support/references';
import { notFoundOf, sceneFile, scenes } from '../support/scenes';
import { Stage } from '../support/stage';
import { platformErrors, type Shown } from './platform-errors';
import { createWorld, World } from './world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  world.endless.close();
  await world.service.stop();
});

/** The requests of the scenes that cause an error. */
const ofScenes = Object.assign({}, ...[...scenes.values()].map(({ errors }) => errors)) as NonNullable<
  ReturnType<typeof scenes.get>
>['errors'];

/** Causes the error. */
function cause(name: ErrorName): Promise<Shown | [Shown, unknown]> {
  const request = ofScenes?.[name];
  return request ? Stage.of(world.service).then(request) : platformErrors[name]!(world);
}

describe('every error of the table', () => {
  it('has a request that causes it, here or in another test of all resources', () => {
    const fields = Object.values(world.service.connection.models).flatMap(({ schema }) => Object.values(schema.paths));
    const elsewhere = [
      // test/contract: order, limits, references and unique.
      ...[...scenes.keys()].map(notFoundOf),
      ...[...scenes.values()].flatMap(({ limits = [] }) => limits.map(({ error }) => error)),
      ...references.map(({ refuses }) => refuses),
      ...fields.map((field) => optionsOf(field).taken),
    ];
    const all = Object.keys(apiErrors) as ErrorName[];
    const missing = all.filter((name) => !ofScenes?.[name] && !platformErrors[name] && !elsewhere.includes(name));
    const file = `\`errors\` of ${sceneFile('<resource>')}, or test/errors/platform-errors.ts`;
    expect(missing.map((name) => `${name} has no request: add one to ${file}.`)).toEqual([]);
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
