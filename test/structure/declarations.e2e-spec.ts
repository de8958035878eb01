import type { Connection } from 'mongoose';
import type { AnyModel } from '../../src/platform/records/driver/any-model';
import { optionsOf } from '../../src/platform/records/schema/field-options';
import { uniqueFields, uniqueIndexes, uniqueIndexesOf } from '../../src/platform/records/schema/unique-keys';
import { idOptions, idsIn, type Reference, referencesIn } from '../../src/platform/records/schema/references';
import { useService } from '../support/service';

const service = useService();

/** What the schemas declare about unique indexes and references and does not hold: the field, and what to add to its schema. */
function brokenDeclarations(db: Connection): string[] {
  return Object.values<AnyModel>(db.models).flatMap((model) => [
    ...unclaimedIndexes(model),
    ...undeclaredIds(model),
    ...referencesIn(model).flatMap((reference) => problemsOf(db, model, reference)),
  ]);
}

function undeclaredIds({ modelName, schema }: AnyModel): string[] {
  const ids = idsIn(schema).map(({ path, type }) => ({ path, ...idOptions(type) }));
  return ids
    .filter(({ path, ref, onDelete, among, limit }) => {
      if (ref) return !onDelete;
      const isOwn = path === '_id' || path.endsWith('._id');
      return onDelete ? onDelete !== 'keep' || among !== undefined || limit !== undefined : !isOwn;
    })
    .map(({ path }) => `${modelName}.${path} is an id: add \`ref\` and \`onDelete\` to its schema.`);
}

function problemsOf(db: Connection, { schema }: AnyModel, reference: Reference): string[] {
  const { from, path, to, list, isRequired, onDelete } = reference;
  const name = `${from}.${path}`;
  if (!db.models[to]) return [`${name} refers to ${to}, which is no Model.`];
  if (onDelete === 'keep') return [];
  const problems: string[] = [];
  if (onDelete === 'pull' && list === undefined) problems.push(`${name} is in no list: use \`clear\` or \`remove\`.`);
  if (onDelete === 'clear' && (list !== undefined || isRequired))
    problems.push(`${name} is required or in a list: use \`pull\` or \`remove\`.`);
  if (!schema.indexes().some(([keys]) => Object.keys(keys)[0] === path))
    problems.push(`Deleting one ${to} looks for ${name}: add an index that begins with it to its schema.`);
  return problems;
}

/** What is missing: the index of a unique field, or the conflict of a unique index, without which duplicates are 1510. */
function unclaimedIndexes({ schema, modelName }: AnyModel): string[] {
  const claimed = uniqueIndexes(schema);
  const isClaimed = (index: string): boolean =>
    // A write that loses a slug gets another one.
    (index === 'slugs.text' && optionsOf(schema.path('name')).slugFallback !== undefined) ||
    claimed.some(({ keys }) => keys.join() === index);
  const indexes = uniqueIndexesOf(schema).map((keys) => keys.join());
  const fields = uniqueFields(schema).map((name) => ({ name, ...optionsOf(schema.path(name)) }));
  return [
    ...fields
      .filter(({ name, keyField = name }) => !uniqueIndexesOf(schema).some((keys) => keys.includes(keyField)))
      .map(({ name, keyField = name }) => {
        return `${modelName}.${name} is unique: add an index of ${keyField} with { unique: true } to its schema.`;
      }),
    ...indexes
      .filter((index) => !isClaimed(index))
      .map((index) => {
        const field = index.split(',').at(-1);
        return `The unique index of ${modelName} (${index}) has no conflict: add \`taken\` to ${field} in its schema.`;
      }),
  ];
}

test('every id in a schema declares what a deletion does, and every unique index its conflict', () => {
  expect(brokenDeclarations(service.connection)).toEqual([]);
});
