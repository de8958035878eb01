import { NOTHING } from '../../support/records';
import type { ModelFile, State } from './state';

/** What a command is about and what it writes, by numbers: they are looked up in the state, and may also name nothing. */
export interface Choice {
  readonly target: number;
  readonly other: number;
  readonly text: number;
  readonly file: number;
  /** Whether a PUT keeps what has to be unique. */
  readonly keeps: boolean;
  readonly flag: boolean;
  readonly logo: 'kept' | 'file' | 'none' | 'left out';
}

/** One of the items. */
export const one = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;

/** One of the ids, or, one time in seven, an id of nothing. */
export function idIn(records: ReadonlyMap<string, unknown>, at: number): string {
  return records.size === 0 || at % 7 === 0 ? NOTHING : one([...records.keys()], at);
}

/** Among how many Files that are no logo a command chooses: few, so that several commands are about the same. */
const NEWEST = 4;

/** The id of a logo or of one of the newest other Files, or, one time in seven, an id of nothing. */
export function fileIdIn({ files }: State, at: number): string {
  const isLogo = ([, { organizationId }]: [string, ModelFile]): boolean => organizationId !== null;
  const newest = [...files].filter((file) => !isLogo(file)).slice(-NEWEST);
  return idIn(new Map([...[...files].filter(isLogo), ...newest]), at);
}
