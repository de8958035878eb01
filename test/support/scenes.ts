import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorName } from '../../src/platform/base/errors/api-error';
import { declaredOperations, type Operation } from './operations';
import type { Row, Scene } from './scene';

const FOLDER = join(__dirname, '..', 'registry');

/** The file that says what the generic tests need to know of a resource. */
export const sceneFile = (resource: string): string => `test/registry/${resource}/scene.ts`;

/** The scene of each resource, found by folder. */
export const scenes: ReadonlyMap<string, Scene> = new Map(
  readdirSync(FOLDER)
    .filter((resource) => existsSync(join(FOLDER, resource, 'scene.ts')))
    .map((resource) => [resource, jest.requireActual<{ scene: Scene }>(`${FOLDER}/${resource}/scene`).scene]),
);

/** @throws Error that names the file to add */
export function sceneOf(resource: string): Scene {
  const scene = scenes.get(resource);
  if (!scene) throw new Error(`The resource "${resource}" has no scene: add ${sceneFile(resource)}.`);
  return scene;
}

/** The resource that an operation is about: the last word of its path. The operations of a scene are those of `access`. */
export function resourceOf({ title, path }: Operation): string {
  const listed = [...scenes].find(([, { access }]) => title in access);
  return (
    listed?.[0] ??
    path
      .replace(/\/:\w+$/, '')
      .split('/')
      .at(-1)!
  );
}

/** The rows of an operation in the access matrix. @throws Error that names the file to edit */
export function rowsOf(operation: Operation): readonly Row[] {
  const resource = resourceOf(operation);
  const rows = sceneOf(resource).access[operation.title];
  if (!rows) throw new Error(`${operation.title} has no row: add it to \`access\` of ${sceneFile(resource)}.`);
  return isRows(rows) ? rows : [{ statuses: rows }];
}

export const isRows = (rows: Scene['access'][string]): rows is readonly Row[] => typeof rows[0] === 'object';

/** The 404 of a resource: `apiKeyNotFound`. */
export function notFoundOf(resource: string): ErrorName {
  const one = resource.replace(/ies$/, 'y').replace(/s$/, '');
  return `${one.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}NotFound` as ErrorName;
}

/** The operations that write, and those that only read. */
export const operations = declaredOperations();
export const writing = operations.filter(({ method }) => method !== 'GET');
