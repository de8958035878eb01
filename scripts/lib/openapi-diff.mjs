/** Compares two OpenAPI 3.1 documents by the rules of docs/versioning.md. */
import { isDeepStrictEqual } from 'node:util';
import { compareSchemas } from './schema-diff.mjs';

/** The other members of a path are no operations. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Lists what breaks clients, what must be checked by hand (`unsure`), and what clients may ignore (`added`).
 *
 * @returns {{breaking: string[], unsure: string[], added: string[]}} one line per change
 */
export function compareDocuments(released, current) {
  // `changes` collects the lines, and resolves references of the released document (`before`) and the current one.
  const lines = { breaking: new Set(), unsure: new Set(), added: new Set() };
  const changes = { before: (part) => resolve(released, part), after: (part) => resolve(current, part) };
  for (const [kind, set] of Object.entries(lines)) changes[kind] = (line) => set.add(line);
  const [before, after] = [operationsOf(released), operationsOf(current)];
  for (const [key, { name, operation }] of before) {
    const now = after.get(key);
    if (now) compareOperations(name, operation, now.operation, changes);
    else changes.breaking(`${name} is gone`);
  }
  for (const [key, { name }] of after) if (!before.has(key)) changes.added(name);
  if (!isDeepStrictEqual(released.servers, current.servers)) changes.unsure('The servers have changed');
  return { breaking: [...lines.breaking], unsure: [...lines.unsure], added: [...lines.added] };
}

function resolve(document, part) {
  if (!part?.$ref) return part;
  const [, ...path] = part.$ref.split('/');
  const found = path.reduce((inside, key) => inside[key], document);
  return resolve(document, found);
}

/** By method and path; the names of a path's parameters don't matter. */
function operationsOf({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      return { name: `${method.toUpperCase()} ${path}`, operation: item[method] };
    }),
  );
  return new Map(operations.map((one) => [one.name.replaceAll(/\{\w+\}/g, '{}'), one]));
}

function compareOperations(name, before, after, changes) {
  const needsLogin = ({ security = [] }) => security.length > 0;
  if (before.operationId !== after.operationId)
    changes.breaking(`${name}: the operationId is ${after.operationId} instead of ${before.operationId}`);
  if (!needsLogin(before) && needsLogin(after)) changes.breaking(`${name} needs a login`);
  compareParameters(name, before, after, changes);
  compareBodies(name, before.requestBody, after.requestBody, changes);
  compareResponses(name, before.responses, after.responses, changes);
}

function compareParameters(name, before, after, changes) {
  const [old, now] = [parametersOf(before, changes.before), parametersOf(after, changes.after)];
  for (const [key, parameter] of old) {
    const same = now.get(key);
    const where = `${name}: the ${key}`;
    if (!same) changes.breaking(`${where} is no longer accepted`);
    else if (same.required && !parameter.required) changes.breaking(`${where} is required`);
    if (same) compareSchemas(where, parameter.schema, same.schema, 'request', changes);
  }
  for (const [key, { required }] of now) {
    if (old.has(key)) continue;
    if (required) changes.breaking(`${name}: the ${key} is required`);
    else changes.added(`${name}: the ${key}`);
  }
}

/** `query parameter skip`. Those in the path are known by their position, because their names may change. */
function parametersOf({ parameters = [] }, resolveIt) {
  const all = parameters.map(resolveIt);
  const inPath = all.filter((parameter) => parameter.in === 'path');
  const nameOf = (parameter) => (parameter.in === 'path' ? inPath.indexOf(parameter) + 1 : parameter.name);
  return new Map(all.map((parameter) => [`${parameter.in} parameter ${nameOf(parameter)}`, parameter]));
}

function compareBodies(name, before, after, changes) {
  if (after?.required && !before?.required) changes.breaking(`${name}: a body is required`);
  else if (after && !before) changes.added(`${name}: a body`);
  if (before) compareContents(`${name}: the body`, before, after, 'request', changes);
}

function compareResponses(name, before, after, changes) {
  for (const [status, reference] of Object.entries(before)) {
    const isSuccess = status.startsWith('2');
    const where = `${name}: the response ${status}`;
    // `default` documents the errors that are not listed.
    const now = changes.after(after[status] ?? (isSuccess ? undefined : after.default));
    if (!now && isSuccess) changes.breaking(`${where} is gone`);
    if (!now) continue;
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
  const isNew = direction === 'request' ? changes.added : changes.unsure;
  for (const type of Object.keys(after)) if (!before[type]) isNew(`${where} can be ${type}`);
}

function compareHeaders(where, before = {}, after = {}, changes) {
  for (const [header, reference] of Object.entries(before)) {
    const [old, now] = [changes.before(reference), changes.after(after[header])];
    // What caches and proxies may do with a response is no concern of the code that reads it.
    if (now && header === 'Cache-Control') continue;
    if (now) compareSchemas(`${where}: the header ${header}`, old.schema, now.schema, 'response', changes);
    else changes.breaking(`${where} has no header ${header}`);
  }
  for (const header of Object.keys(after)) if (!before[header]) changes.added(`${where} has the header ${header}`);
}
