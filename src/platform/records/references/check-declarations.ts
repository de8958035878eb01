import type { Connection } from 'mongoose';
import type { AnyModel, AnySchema } from '../connection/any-model';
import { unclaimedIndexes } from '../indexes/unique-keys';
import { goesToo, idOptions, idsIn, type Reference, referencesIn, referencesTo, removedWith } from './references';

/**
 * The most records that one deletion may write, so it fits one transaction. docs/reliability.md says how it was
 * measured.
 */
const MAX_WRITTEN = 15_000;

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
  if (onDelete === 'keep') return uselessOptions(schema, reference);
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

/**
 * Nothing checks a reference that may be to a record that is gone. Where nobody has written `keep`, `undeclaredIds` asks
 * for an `onDelete`.
 */
function uselessOptions(schema: AnySchema, { from, path }: Reference): string[] {
  const { type } = idsIn(schema).find((id) => id.path === path)!;
  const { onDelete, limit, among, mustBe } = idOptions(type);
  if (onDelete === undefined) return [];
  const useless = Object.entries({ limit, among, mustBe }).filter(([, value]) => value !== undefined);
  return useless.map(
    ([name]) =>
      `${from}.${path} has \`onDelete: 'keep'\`, so its \`${name}\` would do nothing: remove it, or use another ` +
      '`onDelete`.',
  );
}

/** The records that a deletion writes because of the last of these references. */
interface Written {
  readonly by: readonly Reference[];
  /** Infinity if their deletion leads to records of a Model that it came from. */
  readonly count: number;
}

function largeDeletion(db: Connection, { modelName }: AnyModel): string[] {
  const written = writtenWith(db, modelName).toSorted((one, other) => other.count - one.count);
  const sum = written.reduce((total, { count }) => total + count, 1);
  if (sum <= MAX_WRITTEN) return [];
  const pathOf = ({ by }: Written): string => by.map(({ from, path }) => `${from}.${path}`).join(' > ');
  const circle = written.find(({ count }) => count === Infinity);
  if (circle)
    return [
      `Deleting one ${modelName} has no end: ${pathOf(circle)} lead back to ${circle.by.at(-1)!.from}. Change the ` +
        '`onDelete` of one of them to another one than `remove`.',
    ];
  const [all, most] = [sum, MAX_WRITTEN].map(formatted);
  return [
    `Deleting one ${modelName} can write ${all} records, and ${most} fit one transaction: ` +
      `${written.map((one) => `${formatted(one.count)} by ${pathOf(one)}`).join(', ')}. Lower a \`limit\`, or give the ` +
      `records at the end of a path a reference to ${modelName}, too, with a limit that is enforced, and their other ` +
      'reference `among` (docs/extending.md, Limits).',
  ];
}

const formatted = (count: number): string => count.toLocaleString('en-US');

/**
 * The records that a deletion writes in addition to the deleted one: of each reference as many as its limits allow, and
 * of those that are deleted too, what refers to them.
 */
export function writtenWith(db: Connection, model: string, above: readonly Reference[] = [], times = 1): Written[] {
  const before = [above[0]?.to ?? model, ...above.map(({ from }) => from)];
  return referencesTo(db, model).flatMap((reference) => {
    const { from, onDelete, most = 0 } = reference;
    const isWritten = onDelete !== 'keep' && !(typeof onDelete === 'object' && 'refuse' in onDelete);
    if (!isWritten || goesToo(db, reference, above.at(-1))) return [];
    const by = [...above, reference];
    const count = times * most;
    if (!removedWith(reference)) return [{ by, count }];
    if (before.includes(from)) return [{ by, count: Infinity }];
    return [{ by, count }, ...writtenWith(db, from, by, count)];
  });
}
