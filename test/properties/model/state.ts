/**
 * The registry as the contract describes it, in plain objects: of the service, only its responses are used here. Slugs
 * and Files have tests of their own.
 */
export interface State {
  readonly users: Map<string, ModelUser>;
  readonly organizations: Map<string, ModelOrganization>;
  readonly apis: Map<string, ModelApi>;
}

interface Versioned {
  /** The ETag that a response showed since the last change; none while no response has. */
  etag: string | undefined;
  /** Those of earlier versions: none of them may come again. */
  readonly formerEtags: string[];
}

export interface ModelUser extends Versioned {
  username: string;
  companyName: string;
  email: string;
  roles: string[];
}

interface Named extends Versioned {
  name: string;
  url: string;
  description: string;
  readonly createdBy: string;
}

export interface ModelOrganization extends Named {
  managerIds: string[];
  featuredApiIds: string[];
}

export interface ModelApi extends Named {
  readonly organizationId: string;
  readonly lifecycleStatus: string;
  readonly documentationUrl: null;
  isPublic: boolean;
}

export type ModelRecord = ModelUser | ModelOrganization | ModelApi;

/** Version of a new record. */
export const unversioned = (): Versioned => ({ etag: undefined, formerEtags: [] });

/** Notes that a record was changed: the next response tells what its ETag is now. */
export function touch(record: Versioned): void {
  if (record.etag !== undefined) record.formerEtags.push(record.etag);
  record.etag = undefined;
}

/** Changes a record, if that makes a difference. */
export function change<R extends Versioned>(record: R, fields: Partial<R>): void {
  const after = { ...record, ...fields };
  if (JSON.stringify(after) === JSON.stringify(record)) return;
  Object.assign(record, fields);
  touch(record);
}

/** A record as responses show it, dates aside. */
export function shown(_id: string, record: ModelRecord): { readonly _id: string } {
  const { etag: _, formerEtags: __, ...fields } = record;
  return { _id, ...fields };
}

/** Contract §10.2, for the names that the run uses. */
export const keyOf = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase();
