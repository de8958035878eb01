import { readFileSync } from 'node:fs';
import type { Schemas } from '@roster/client';
import { leftOut } from './summary.ts';

export type Named = { name: string; externalId?: unknown; apis?: unknown; consumers?: unknown };
/** The id, name or slug of an Organization that uses an API, with a note or without one. */
export type ConsumerEntry = string | { organization: string; note?: string };
export type ApiEntry = Schemas['ApiInput'] & { consumers?: ConsumerEntry[] };
export type Entry = Schemas['OrganizationInput'] & { apis?: ApiEntry[] };

/** The keys of the names of entries that stand in the file more than once. */
export const twins = new Set<string>();

/** @throws Error that says what is wrong with the file */
export function readEntries(file: string): Entry[] {
  const bytes = readFileSync(file);
  let entries: unknown;
  try {
    // Without a byte order mark, which Windows writes.
    entries = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`${file} is not JSON in UTF-8: ${(error as Error).message}`);
  }
  requireNames(file, entries);
  for (const { name, apis = [] } of entries) {
    requireNames(`${file}: "apis" of ${name}`, apis);
    for (const api of apis) requireConsumers(`${file}: "consumers" of ${name}: ${api.name}`, api.consumers ?? []);
  }
  return entries as Entry[];
}

function requireNames(where: string, list: unknown): asserts list is Named[] {
  if (!Array.isArray(list)) throw new Error(`${where} is not a list.`);
  const index = list.findIndex(
    (one: Partial<Named> | null) => typeof one?.name !== 'string' || nameKey(one.name) === '',
  );
  if (index !== -1) throw new Error(`${where}: entry ${index + 1} has no name.`);
}

function requireConsumers(where: string, list: unknown): void {
  if (!Array.isArray(list)) throw new Error(`${where} is not a list.`);
  const index = list.findIndex((one: Partial<Exclude<ConsumerEntry, string>> | string | null) => {
    const { organization, note = '', ...unknown } = typeof one === 'string' ? { organization: one } : (one ?? {});
    const isText = typeof organization === 'string' && nameKey(organization) !== '' && typeof note === 'string';
    return !isText || Object.keys(unknown).length > 0;
  });
  if (index !== -1)
    throw new Error(`${where}: entry ${index + 1} is not an Organization, or an "organization" with a "note".`);
}

/** The entries without those that have the name or the external id of one before: for Roster, they are one record. */
export function distinct<T extends Named>(entries: T[], prefix = ''): T[] {
  const firsts = { name: new Map<unknown, string>(), externalId: new Map<unknown, string>() };
  return entries.filter((entry) => {
    const [key, id] = [nameKey(entry.name), stored(entry.externalId)];
    const field = id && firsts.externalId.has(id) ? 'externalId' : 'name';
    const first = firsts[field].get(field === 'name' ? key : id);
    if (first === undefined) {
      firsts.name.set(key, key);
      firsts.externalId.set(id, key);
      return true;
    }
    twins.add(prefix + first);
    leftOut.push(`${prefix}${entry.name}: another entry has this ${field}`);
    return false;
  });
}

/**
 * The entries, each with its record or `null`: the one with its external id, or else with its name, unless that is another
 * entry's. Those with a new name come first, because others may get the old one.
 */
export function withKnown<T extends Named, Item extends { name: string; externalId: string | null }>(
  entries: T[],
  records: Item[],
): [T, Item | null][] {
  const byName = new Map<unknown, Item>(records.map((one) => [one.name, one]));
  const byId = new Map<unknown, Item>(records.map((one) => [one.externalId, one]));
  const ids = new Set(entries.map(({ externalId }) => stored(externalId)));
  const pairs = entries.map((entry): [T, Item | null] => {
    const id = stored(entry.externalId);
    const named = byName.get(stored(entry.name));
    const isOfOther = named?.externalId && ids.has(named.externalId);
    return [entry, (id ? byId.get(id) : undefined) ?? (named && !isOfOther ? named : null)];
  });
  const isRenamed = ([{ name }, item]: [T, Item | null]) => item !== null && item.name !== stored(name);
  return pairs.sort((one, other) => Number(isRenamed(other)) - Number(isRenamed(one)));
}

/** A name or an external id as Roster stores it (docs/limits.md, "Characters"). */
export function stored(value: unknown): unknown {
  const around = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu;
  return typeof value === 'string' ? value.normalize().replace(around, '') : value;
}

/** The key by which Roster compares names (docs/limits.md, "Keys of names"). */
export function nameKey(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const spaced = visible.replace(/[\p{White_Space}\u2800]+/gu, ' ').trim();
  const folded = spaced.normalize().toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const undotted = folded.normalize('NFD').replace(/(?<=i\p{M}*)\u0307/gu, '');
  return undotted.normalize().replace(/[\u2010-\u2015\u2212]/g, '-');
}
