import { readFileSync } from 'node:fs';
import { errors as apiErrors } from '../../src/registry/errors';
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
const limits = [...scenes].flatMap(([resource, { limits = [] }]) => limits.map((limit) => ({ ...limit, resource })));

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
      .filter(({ path, onDelete }) => onDelete !== 'keep' && !known.includes(`${model.modelName}.${path}`))
      .map(({ path }) => `${path}: add it to \`references\` of ${sceneFile(resourceOf(model.modelName))}.`);
  });
  expect(missing).toEqual([]);
});

test('every limit that a schema declares is in a scene', () => {
  const missing = models().flatMap((model) => {
    const resource = resourceOf(model.modelName);
    const known = limits.filter((limit) => limit.resource === resource).map(({ most }) => most);
    return referencesIn(model).flatMap(({ path, limits: declared }) =>
      declared
        .filter(({ max }) => !known.includes(max))
        .map(({ max }) => `${max} of ${path}: add it to \`limits\` of ${sceneFile(resource)}.`),
    );
  });
  expect(missing).toEqual([]);
});

/** The limits on a number of records that docs/contract.md §3 and §4 have: the heading, and the number. */
function documented(): string[] {
  const contract = readFileSync('docs/contract.md', 'utf8');
  const [, text = ''] = contract.split(/^## (?:3|5)\. .+$/m);
  const codes = Object.values(apiErrors).flatMap(({ code, message }) =>
    /\blimit\b/.test(message) && code < 1600 ? [code] : [],
  );
  const records = [...scenes.keys()].map((resource) => resource.split('-').at(-1)).join('|');
  const isLimit = new RegExp(`at most [\\d,]+ (?:${records})|\\b(?:${codes.join('|')})\\b`, 'i');
  return text.split(/^### /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const numbers = section
      .split(/\.\s/)
      .filter((sentence) => isLimit.test(sentence))
      .flatMap((sentence) => [...sentence.replaceAll(/\b409 \d{4}\b/g, '').matchAll(/(?<![\w,])\d[\d,]*(?![\w,])/g)]);
    return numbers.map(([number]) => `${heading}: ${number.replaceAll(',', '')}`);
  });
}

test('every limit that the contract documents is in a scene', () => {
  const [known, all] = [limits.map(({ section, most }) => `${section}: ${most}`), documented()];
  const missing = all.filter((limit) => !known.includes(limit));
  expect(missing.map((limit) => `${limit}: add it to \`limits\` of ${sceneFile('<resource>')}.`)).toEqual([]);
  const unknown = limits.filter((_, index) => !all.includes(known[index]!));
  expect(
    unknown.map(
      ({ resource, section, most }) =>
        `${most} is not in a sentence about a limit in docs/contract.md §3 or §4, ${section}: add it there, or correct ` +
        `\`limits\` of ${sceneFile(resource)}.`,
    ),
  ).toEqual([]);
});
