import type { ErrorName } from '../../../src/errors/api-error';
import type { ApiResponse } from '../../support/client';
import type { ImageName } from './images';
import { keyOf, ModelRecord, ModelSlug, State, touch } from './state';

/** A request with everything filled in, so that it can be sent and judged, by several orders if need be. */
export interface ModelRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: readonly string[];
  /** The id of the User who sends it. */
  readonly actor: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The image that goes in a form instead of a body. */
  readonly upload?: ImageName;
  readonly ifMatch?: string;
}

/** What the model expects of an answer. */
export interface Verdict {
  /** Any of these; success where there is none. */
  readonly failures?: readonly ErrorName[];
  /** The faulty fields, of content that is not valid. */
  readonly titles?: readonly string[];
  /** What the answer shows, dates aside. */
  readonly data?: unknown;
  /** Whose ETag the answer shows. */
  readonly record?: ModelRecord;
}

export const success = (data?: unknown, record?: ModelRecord): Verdict => ({ data, record });
export const failure = (...failures: ErrorName[]): Verdict => ({ failures });
export const faulty = (...titles: string[]): Verdict => ({ failures: ['invalidContent'], titles });

/** What a judge knows: the state, which it changes, the request, and the answer, which tells the ids of new records. */
export interface Case {
  readonly state: State;
  readonly request: ModelRequest;
  readonly answer: ApiResponse;
  /** Whether other requests were under way at the same time. */
  readonly isRace: boolean;
}

/** The id that the service gave to what it created. */
export function newId({ answer }: Case): string {
  return (answer.body?.data?._id as string | undefined) ?? 'none';
}

/** The slug that the service gave in a race. */
export function racedSlug({ answer, isRace }: Case): Pick<ModelSlug, 'base' | 'index'> | undefined {
  return isRace ? answer.body?.data?.friendlySlugs?.slug : undefined;
}

export function isAdmin({ state, request }: Case): boolean {
  return state.users.get(request.actor)?.roles.includes('admin') === true;
}

export function managesOrAdmin(judged: Case, organizationId: string): boolean {
  const managerIds = judged.state.organizations.get(organizationId)?.managerIds;
  return managerIds?.includes(judged.request.actor) === true || isAdmin(judged);
}

/** Whether an If-Match keeps the write out. */
export function isStale({ request }: Case, record: ModelRecord): boolean {
  return request.ifMatch !== undefined && request.ifMatch !== record.etag;
}

/** Another record of the same collection that has this key. */
export function isTaken<R>(
  records: ReadonlyMap<string, R>,
  keyOfRecord: (record: R) => string,
  text: string,
  id?: string,
): boolean {
  return [...records].some(([other, record]) => other !== id && keyOf(keyOfRecord(record)) === keyOf(text));
}

/** Changes a record where something is another. */
export function change<R extends ModelRecord>(record: R, fields: Partial<R>): void {
  const same = Object.entries(fields).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(record[name as keyof R]),
  );
  if (same) return;
  Object.assign(record, fields);
  touch(record);
}
