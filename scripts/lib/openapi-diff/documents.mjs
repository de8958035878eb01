import { isDeepStrictEqual } from 'node:util';
import { Changes } from './changes.mjs';
import { compareSchemas } from './schemas.mjs';

/**
 * Compares two OpenAPI 3.1 documents by the rules of docs/versioning.md.
 *
 * @param {object} released
 * @param {object} current
 * @returns {{breaking: string[], unsure: string[], added: string[]}} one line per change
 */
export function compareDocuments(released, current) {
  const changes = new Changes(released, current);
  const [before, after] = [operationsOf(released), operationsOf(current)];
  for (const [key, { name, operation }] of before) {
    const now = after.get(key);
    if (now) compareOperations(name, operation, now.operation, changes);
    else changes.breaking(`${name} is gone`);
  }
  for (const [key, { name }] of after) if (!before.has(key)) changes.added(name);
  if (!isDeepStrictEqual(released.servers, current.servers)) changes.unsure('The servers have changed');
  return changes.lines;
}

/** The other members of a path are no operations. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** By method and path; the names of a path's parameters don't matter. */
function operationsOf({ paths }) {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => {
        const operation = item[method];
        const name = `${method.toUpperCase()} ${path}`;
        return [name.replaceAll(/\{\w+\}/g, '{}'), { name, operation }];
      }),
    ),
  );
}

function compareOperations(name, before, after, changes) {
  if (before.operationId !== after.operationId)
    changes.breaking(`${name}: the operationId is ${after.operationId} instead of ${before.operationId}`);
  if (!needsLogin(before) && needsLogin(after)) changes.breaking(`${name} needs a login`);
  compareParameters(name, before, after, changes);
  compareBodies(name, before.requestBody, after.requestBody, changes);
  compareResponses(name, before.responses, after.responses, changes);
}

function needsLogin({ security = [] }) {
  return security.length > 0;
}

function compareParameters(name, before, after, changes) {
  const [old, now] = [parametersOf(before, changes.before), parametersOf(after, changes.after)];
  for (const [key, parameter] of old) {
    const where = `${name}: the ${key}`;
    const same = now.get(key);
    if (!same) {
      changes.breaking(`${where} is no longer accepted`);
      continue;
    }
    if (same.required && !parameter.required) changes.breaking(`${where} is required`);
    compareSchemas(where, parameter.schema, same.schema, 'request', changes);
  }
  for (const [key, { required }] of now) {
    if (old.has(key)) continue;
    if (required) changes.breaking(`${name}: the ${key} is required`);
    else changes.added(`${name}: the ${key}`);
  }
}

/** `query parameter skip`. Those in the path are known by their position, because their names may change. */
function parametersOf({ parameters = [] }, resolve) {
  const all = parameters.map(resolve);
  const inPath = all.filter((parameter) => parameter.in === 'path');
  return new Map(
    all.map((parameter) => {
      const name = parameter.in === 'path' ? inPath.indexOf(parameter) + 1 : parameter.name;
      return [`${parameter.in} parameter ${name}`, parameter];
    }),
  );
}

function compareBodies(name, before, after, changes) {
  if (after?.required && !before?.required) changes.breaking(`${name}: a body is required`);
  else if (after && !before) changes.added(`${name}: a body`);
  if (before) compareContents(`${name}: the body`, before, after, 'request', changes);
}

function compareResponses(name, before, after, changes) {
  for (const [status, reference] of Object.entries(before)) {
    const isSuccess = status.startsWith('2');
    // `default` documents the errors that are not listed.
    const now = changes.after(after[status] ?? (isSuccess ? undefined : after.default));
    const where = `${name}: the response ${status}`;
    if (!now) {
      if (isSuccess) changes.breaking(`${where} is gone`);
      continue;
    }
    const response = changes.before(reference);
    compareContents(where, response, now, isSuccess ? 'response' : 'error', changes);
    if (isSuccess) compareHeaders(where, response.headers, now.headers, changes);
  }
  for (const status of Object.keys(after))
    if (status.startsWith('2') && !before[status]) changes.unsure(`${name}: the response ${status} is new`);
}

function compareContents(where, { content: before = {} }, { content: after = {} } = {}, direction, changes) {
  for (const [type, { schema }] of Object.entries(before)) {
    if (after[type]) compareSchemas(where, schema, after[type].schema, direction, changes);
    else changes.breaking(`${where} can no longer be ${type}`);
  }
  for (const type of Object.keys(after)) {
    if (before[type]) continue;
    if (direction === 'request') changes.added(`${where} can be ${type}`);
    else changes.unsure(`${where} can be ${type}`);
  }
}

function compareHeaders(where, before = {}, after = {}, changes) {
  for (const [header, reference] of Object.entries(before)) {
    const now = changes.after(after[header]);
    if (!now) changes.breaking(`${where} has no header ${header}`);
    else
      compareSchemas(
        `${where}: the header ${header}`,
        changes.before(reference).schema,
        now.schema,
        'response',
        changes,
      );
  }
  for (const header of Object.keys(after)) if (!before[header]) changes.added(`${where} has the header ${header}`);
}
