import type { ErrorName } from '../../src/platform/base/errors/api-error';
import type { ApiResponse, Client, ClientRequest, Headers } from './client';
import type { Service } from './service';
import type { Stage } from './stage';

/** A record as the response to its creation shows it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each resource has fields of its own
export type Shown = Record<string, any> & { readonly _id: string };

/** A request that is prepared. It may be sent again once what it changed is restored. */
export type Send = () => Promise<ApiResponse>;

/** Who sends the requests of the access matrix. */
export const CALLERS = ['nobody', 'account', 'other Manager', 'Manager', 'Admin'] as const;
export type Caller = (typeof CALLERS)[number];

/** The status for each of `CALLERS`. */
export type Statuses = readonly [number, number, number, number, number];

export const anyone = (status: number): Statuses => [status, status, status, status, status];
export const accounts = (status: number): Statuses => [401, status, status, status, status];
export const managers = (status: number): Statuses => [401, 403, 403, status, status];
export const admins = (status: number): Statuses => [401, 403, 403, 403, status];

/** A row of the access matrix: an operation on one kind of record. */
export interface Row {
  readonly statuses: Statuses;
  /** Tells the rows of an operation apart. */
  readonly title?: string;
  /** Whose record it is; without it, the Manager's. */
  readonly of?: 'own' | 'another’s';
  /** Fields of the record. */
  readonly fields?: object;
  /** Fields of the record below which it is created: `{ isPublic: true }` of the API of a Consumer. */
  readonly parent?: object;
  /** The request, if it is not the usual one with a body of the scene. The stage is that of the record's owner. */
  readonly request?: (stage: Stage, caller: Client) => Partial<ClientRequest> | Promise<Partial<ClientRequest>>;
}

/** A row about the caller's own record, or about a record of no one when the caller is not logged in. */
export const own = (statuses: Statuses, rest: Partial<Row> = {}): Row => ({ statuses, of: 'own', ...rest });
export const another = (statuses: Statuses, rest: Partial<Row> = {}): Row => ({ statuses, of: 'another’s', ...rest });

/** A field that refers to another resource. */
export interface Reference {
  /** The resource: `files`. */
  readonly to: string;
  /** Fields of the record that is referred to, which is then a new one; without them it is the stage's. */
  readonly fields?: object;
  /** Prepares the request that adds the reference. */
  readonly refer: (stage: Stage, target: Shown) => Promise<Send>;
  /** The error of a deletion of the record that is referred to; without it, the deletion ends the reference. */
  readonly refuses?: ErrorName;
}

/** A limit on the records of one account that no schema declares. */
export interface Limit {
  readonly max: number;
  /** Fields of those that count, if not all do. */
  readonly fields?: object;
  /** The error of one too many, perhaps with a message of its own; without it, the oldest one goes. */
  readonly error?: ErrorName;
  readonly message?: string;
}

/** A list, with the value of each filter for a record that it finds. */
export interface List {
  /** Creates a record that the list has, one of its filters finds, and the caller, an Admin, sees. */
  readonly create?: (stage: Stage, fields: object) => Promise<Shown>;
  /** Fields of the one record that the filters find, where those of other records would not do. */
  readonly fields?: object;
  readonly filters?: Readonly<Record<string, (record: Shown, stage: Stage) => unknown>>;
  /** Filters without an index, which read what the other filters leave. */
  readonly unindexed?: readonly string[];
  /** A text that `q` finds in a record; without it, its `name`. */
  readonly q?: (record: Shown) => string;
  /** A parameter that every request of the list has. */
  readonly within?: (stage: Stage) => Promise<string>;
  /** Set for a list that never has many records, and reads them all. */
  readonly isSmall?: true;
  /** Set for a list of the caller's own records only, or of all for an Admin, even if others may read them. */
  readonly isOwn?: true;
}

/** A request that causes an error. A pair gives the message too, where it is not the one of the table. */
export type ErrorRequest = (stage: Stage) => Promise<ApiResponse | [ApiResponse, message: unknown]>;

/** What the generic tests need to know of a resource. It is in test/registry/<resource>/scene.ts. */
export interface Scene {
  /** The error for an unknown id, unless it is named after the resource. */
  readonly notFound?: ErrorName;
  /** The Model of its records, or the list of another one in which they are embedded: `Organization.managers`. */
  readonly stored: string;
  /** The resource below which its records are created: `organizations`. */
  readonly below?: string;
  /** Fields of that record, for all requests: `{ isPublic: true }`. A row may have others. */
  readonly parent?: object;
  /** Who creates the records and may do everything with them, unless the owner may create them and an Admin the rest. */
  readonly by?: (stage: Stage) => Client | Promise<Client>;
  /** A valid body of a POST by this caller. A PUT has what GET returns, with a change. */
  readonly body?: (service: Service, caller: Client) => object | Promise<object>;
  /** Headers of a POST. */
  readonly headers?: Headers;
  /** Creates a record that the stage's owner may change, if POST does not; without fields it may be one that exists. */
  readonly create?: (stage: Stage, fields?: object) => Shown | Promise<Shown>;
  /** Two changes of different fields, new ones in each call; the first is of a unique field if there is one. */
  readonly changes?: () => readonly [object, object];
  /** The fields of a POST that makes a record again, where what is unique has more than one field and none is a text. */
  readonly again?: (record: Shown) => object;
  /** By operation, its row of the access matrix, or one for each kind of record that it makes a difference for. */
  readonly access: Readonly<Record<string, Statuses | readonly Row[]>>;
  /** Rows that a setting changes: `{ 'REGISTRATION=open': { 'POST /users': anyone(201) } }`. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, Statuses | readonly Row[]>>>>;
  /** Writes that do more than the first row of their operation; the title begins with the operation. */
  readonly writes?: Readonly<Record<string, (stage: Stage) => Send | Promise<Send>>>;
  /** By the path in the Model. The reference to the record of `below` needs no line. */
  readonly references?: Readonly<Record<string, Reference>>;
  /** Errors that are no 404, are not about a unique field and not about a limit. */
  readonly errors?: Readonly<Partial<Record<ErrorName, ErrorRequest>>>;
  /** Those that a schema declares need no line. */
  readonly limits?: readonly Limit[];
  readonly lists?: Readonly<Record<string, List>>;
}
