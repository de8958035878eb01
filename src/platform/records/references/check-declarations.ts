import type { Connection } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { unclaimedIndexes } from '../indexes/unique-keys';
import { idOptions, idsIn, type Reference, referencesIn } from './references';

/**
 * Checks what the schemas declare about unique indexes and references.
 * @throws Error which names the field, and what to add to its schema
 */
export function checkDeclarations(db: Connection): void {
  const models = Object.values<AnyModel>(db.models);
  const problems = models.flatMap((model) => [
    ...unclaimedIndexes(model),
    ...undeclaredIds(model),
    ...referencesIn(model).flatMap((reference) => problemsOf(db, model, reference)),
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
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
  const { from, path, to, list, isRequired, onDelete, most } = reference;
  const name = `${from}.${path}`;
  if (!db.models[to]) return [`${name} refers to ${to}, which is no Model.`];
  if (onDelete === 'keep') return [];
  const problems: string[] = [];
  if (onDelete === 'pull' && list === undefined) problems.push(`${name} is in no list: use \`clear\` or \`remove\`.`);
  if (onDelete === 'clear' && (list !== undefined || isRequired))
    problems.push(`${name} is required or in a list: use \`pull\` or \`remove\`.`);
  if (!schema.indexes().some(([keys]) => Object.keys(keys)[0] === path))
    problems.push(`Deleting one ${to} looks for ${name}: add an index that begins with it to its schema.`);
  if (typeof onDelete !== 'object' || !('refuse' in onDelete)) {
    if (most === undefined)
      problems.push(`Deleting one ${to} writes each ${from} with its id in ${name}: add the \`limit\` of this field.`);
  }
  return problems;
}
