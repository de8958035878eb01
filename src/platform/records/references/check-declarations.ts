import type { Connection } from 'mongoose';
import type { AnyModel } from '../connection/any-model';
import { unclaimedIndexes } from '../indexes/unique-keys';
import { goesToo, idOptions, idsIn, type Reference, referencesIn, referencesTo, removedWith } from './references';

/**
 * The most records that one deletion may write, so it fits one transaction. docs/reliability.md says how it was
 * measured.
 */
const MAX_WRITTEN = 4000;

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
  // Only then are the limits known.
  if (problems.length === 0) problems.push(...models.flatMap((model) => largeDeletion(db, model)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function undeclaredIds({ modelName, schema }: AnyModel): string[] {
  const ids = idsIn(schema).map(({ path, type }) => ({ path, ...idOptions(type) }));
  const isOwn = (path: string): boolean => path === '_id' || path.endsWith('._id');
  return ids
    .filter(({ path, ref, onDelete }) => (ref ? !onDelete : !onDelete && !isOwn(path)))
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
    problems.push(`The deletion of a ${to} looks for ${name}: add an index that begins with it to its schema.`);
  if (typeof onDelete !== 'object' || !('refuse' in onDelete)) {
    if (most === undefined)
      problems.push(`The deletion of a ${to} writes each ${from} whose ${path} it is: add its \`limit\`.`);
  }
  return problems;
}

function largeDeletion(db: Connection, { modelName }: AnyModel): string[] {
  const written = countWritten(db, modelName);
  if (written <= MAX_WRITTEN) return [];
  const from = referencesTo(db, modelName).map((reference) => `${reference.from}.${reference.path}`);
  const most = `The deletion of a ${modelName} can write ${written} records, and ${MAX_WRITTEN} fit one transaction`;
  return [`${most}: lower a \`limit\` of ${from.join(', ')}, or of what refers to these.`];
}

/**
 * The most records that a deletion writes, the deleted one included: of each reference those that its limit allows, and
 * of each that is deleted too, what refers to it.
 */
function countWritten(db: Connection, model: string, via?: Reference, above: readonly string[] = []): number {
  if (above.includes(model)) return Infinity;
  return referencesTo(db, model).reduce((sum, reference) => {
    const { from, onDelete, most = 0 } = reference;
    const isWritten = onDelete !== 'keep' && !(typeof onDelete === 'object' && 'refuse' in onDelete);
    if (!isWritten || goesToo(db, reference, via)) return sum;
    return sum + most * (removedWith(reference) ? countWritten(db, from, reference, [...above, model]) : 1);
  }, 1);
}
