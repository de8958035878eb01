import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorName } from '../../src/platform/base/errors/api-error';
import { declaredOperations, type Operation } from './operations';
import { type Caller, CALLERS, type Row, type Scene } from './scene';

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

/** The statuses that a caller gets, one for each row. */
export const statusesFor = (caller: Caller, rows: Scene['access'][string] = []): number[] =>
  (isRows(rows) ? rows.map(({ statuses }) => statuses) : [rows]).map((statuses) => statuses[CALLERS.indexOf(caller)]!);

/** The path at which records are created: `/organizations/:id/apis`. */
export function collectionOf(resource: string): string {
  const { below } = sceneOf(resource);
  return below ? `/${below}/:id/${resource}` : `/${resource}`;
}

export const isRows = (rows: Scene['access'][string]): rows is readonly Row[] => typeof rows[0] === 'object';

/** The 404 of a resource: `apiKeyNotFound`. */
export function notFoundOf(resource: string): ErrorName {
  const { notFound } = scenes.get(resource) ?? {};
  if (notFound) return notFound;
  const one = resource.replace(/ies$/, 'y').replace(/s$/, '');
  return `${one.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}NotFound` as ErrorName;
}

/** The operations that write, and those that only read. */
export const operations = declaredOperations();
export const writing = operations.filter(({ method }) => method !== 'GET');

/** Whether the body of an operation is a whole record. That of any other one has fields of its own. */
export const takesRecord = (operation: Operation): boolean =>
  operation.method === 'PUT' ? /\/:\w+$/.test(operation.path) : operation.path === collectionOf(resourceOf(operation));

/** The operations that replace a record. */
export const replacing = operations.filter((operation) => operation.method === 'PUT' && takesRecord(operation));
