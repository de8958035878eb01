import type { AnyModel } from '../../src/platform/records/driver/any-model';
import { referencesIn } from '../../src/platform/records/schema/references';
import { references } from '../support/references';
import { OUTSIDE, routesOf } from '../support/routes';
import { operations, rowsOf, sceneFile, scenes } from '../support/scenes';
import { useService } from '../support/service';

const service = useService();
const models = (): AnyModel[] => Object.values(service.connection.models);
const resourceOf = (model: string): string =>
  [...scenes].find(([, { stored }]) => stored === model)?.[0] ?? '<resource>';

test('every operation has a row in the scene of its resource, and nothing else has', () => {
  const routes = routesOf(service).filter((route) => !OUTSIDE.test(route));
  expect(operations.map(({ title }) => title).sort()).toEqual(routes.sort());
  for (const operation of operations) expect(rowsOf(operation).length).toBeGreaterThan(0);
  const rows = [...scenes].flatMap(([resource, { access }]) => Object.keys(access).map((title) => [resource, title]));
  const unknown = rows.filter(([, title]) => !routes.includes(title!));
  expect(unknown.map(([resource, title]) => `${title} is no operation: see ${sceneFile(resource!)}`)).toEqual([]);
});

test('every reference that a schema declares is in a scene', () => {
  const known = references.map(({ path }) => path);
  const missing = models().flatMap((model) => {
    return referencesIn(model)
      .filter(({ onDelete, limit }) => onDelete !== 'keep' || limit)
      .filter(({ path }) => !known.includes(`${model.modelName}.${path}`))
      .map(({ path }) => `${path}: add it to \`references\` of ${sceneFile(resourceOf(model.modelName))}.`);
  });
  expect(missing).toEqual([]);
});
