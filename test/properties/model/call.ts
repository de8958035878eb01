import type { ErrorName } from '../../../src/platform/base/errors/api-error';
import type { ApiResponse } from '../../support/client';
import type { ModelRequest, OperationName } from './requests';
import { keyOf, shown, touch } from './state';
import type { ModelOrganization, ModelRecord, State } from './state';

/** Input of a rule: the state, which it changes, the request, and the response, which has the ids of new records. */
export interface Call {
  readonly state: State;
  readonly request: ModelRequest;
  readonly response: ApiResponse;
  /** True if other requests were under way at the same time. */
  readonly isRace: boolean;
}

/** Content of a successful response, dates aside, and the record whose ETag it has. */
export interface Success {
  readonly data?: unknown;
  readonly record?: ModelRecord;
}

/** The request is refused with any of these errors; `titles` are the fields that are wrong. */
export class Refused {
  readonly errors: readonly ErrorName[];
  titles: readonly string[] | undefined;

  constructor(...errors: ErrorName[]) {
    this.errors = errors;
  }
}

export type Rule = (call: Call) => Success | Refused;
export type Rules = Partial<Record<OperationName, Rule>>;

export const SUCCESS: Success = {};

export const idOf = ({ request }: Call): string => request.path[1]!;
export const isAdmin = ({ state, request }: Call): boolean => !!state.users.get(request.actor)?.roles.includes('admin');
export const managesOrAdmin = (call: Call, organizationId: string): boolean =>
  !!call.state.organizations.get(organizationId)?.managerIds.includes(call.request.actor) || isAdmin(call);
export const isStale = ({ request }: Call, record: ModelRecord): boolean =>
  request.ifMatch !== undefined && request.ifMatch !== record.etag;

/** Tells whether another record has this text, by the key of contract §10.2. */
export const isTaken = <R>(
  records: Iterable<[string, R]>,
  textOf: (record: R) => string,
  text: string,
  id?: string,
): boolean => [...records].some(([other, record]) => other !== id && keyOf(textOf(record)) === keyOf(text));

export const single = (id: string, record: ModelRecord): Success => ({ data: shown(id, record), record });

export function list<R extends ModelRecord>(
  records: Map<string, R>,
  isVisible: (record: R, id: string) => boolean,
): Success {
  const visible = [...records].filter(([id, record]) => isVisible(record, id));
  return { data: visible.sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, record]) => shown(id, record)) };
}

/** Creates a record with the id that the service gave. */
export function create<R extends ModelRecord>({ response }: Call, records: Map<string, R>, record: R): Success {
  const id = (response.body?.data?._id as string | undefined) ?? 'none';
  records.set(id, record);
  return single(id, record);
}

export function removeManager(organization: ModelOrganization, id: string): void {
  organization.managerIds = organization.managerIds.filter((managerId) => managerId !== id);
  touch(organization);
}
