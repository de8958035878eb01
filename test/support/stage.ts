import type { Client, ClientRequest } from './client';
import type { Operation } from './operations';
import { created } from './records';
import type { Row, Send, Shown } from './scene';
import { collectionOf, resourceOf, sceneFile, sceneOf, scenes, statusesFor, takesRecord } from './scenes';
import type { Service } from './service';

/**
 * Records of one account, made when a request needs them: one of each resource, and below it those that belong to it.
 * What a resource needs is in its scene.
 */
export class Stage {
  private readonly made = new Map<string, Promise<Shown>>();
  private readonly callers = new Map<string, Client | Promise<Client>>();
  private other: Promise<Client> | undefined;

  constructor(
    readonly service: Service,
    /** Who creates the records, and may change and delete them. */
    readonly owner: Client,
  ) {}

  /** A stage of a new account. */
  static async of(service: Service): Promise<Stage> {
    return new Stage(service, await service.account());
  }

  get admin(): Client {
    return this.service.admin;
  }

  /** An account without rights to the records. */
  get stranger(): Promise<Client> {
    return (this.other ??= this.service.account());
  }

  /** Who may do everything with the records of a resource: as its scene says, or an Admin. */
  async callerOf(resource: string): Promise<Client> {
    const caller = this.callers.get(resource) ?? sceneOf(resource).by?.(this) ?? this.admin;
    this.callers.set(resource, caller);
    return caller;
  }

  /** The record of a resource. */
  record(resource: string, fields?: object): Promise<Shown> {
    const record = this.made.get(resource) ?? this.make(resource, fields);
    this.made.set(resource, record);
    return record;
  }

  /** Another record of a resource, which belongs to the same one. */
  async make(resource: string, fields?: object): Promise<Shown> {
    const { create } = sceneOf(resource);
    return create ? create(this, fields) : created(await (await this.post(resource, fields))(), sceneFile(resource));
  }

  /** The path of an operation or a collection, with the ids of the stage's records. */
  async path(pattern: string, fields?: object): Promise<string> {
    let path = '';
    const pieces = [...pattern.matchAll(/\/([^/]+)(\/:\w+)?/g)];
    for (const [index, [, resource = '', id]] of pieces.entries()) {
      const [, next] = pieces[index + 1] ?? [];
      const own = next ? scenes.get(next)?.parent : fields;
      path += `/${resource}${id ? `/${(await this.record(resource, own))._id}` : ''}`;
    }
    return path;
  }

  /** Who creates records: as the scene says, or the owner, or an Admin if only they may. */
  async creatorOf(resource: string): Promise<Client> {
    const { by, access } = sceneOf(resource);
    const [status] = statusesFor('Manager', access[`POST ${collectionOf(resource)}`]);
    return by || status! >= 300 ? this.callerOf(resource) : this.owner;
  }

  /** Prepares the POST of a record with a body of its scene. */
  async post(resource: string, fields: object = {}, by?: Client): Promise<Send> {
    const { body, headers } = sceneOf(resource);
    const [path, creator] = [await this.path(collectionOf(resource)), by ?? (await this.creatorOf(resource))];
    const content = await body!(this.service, creator);
    const payload = Buffer.isBuffer(content) ? content : { ...content, ...fields };
    return () => creator.post(path, payload, headers);
  }

  /** Prepares the PUT that changes these fields of the stage's record. */
  async put(resource: string, changes: object, by = this.owner): Promise<Send> {
    const path = `/${resource}/${(await this.record(resource))._id}`;
    const { body } = await this.owner.get(path);
    return () => by.put(path, { ...body, ...changes });
  }

  /** A request that passes every check up to its body, which is empty content. */
  async bare(operation: Operation, by?: Client): Promise<ClientRequest> {
    const { token } = by ?? (await this.callerOf(resourceOf(operation)));
    const { method, path } = operation;
    return { method, path: await this.path(path), headers: { authorization: `Bearer ${token}` } };
  }

  /** The usual request of an operation on the stage's records, by this caller, with a body that is valid. */
  async request(
    operation: Operation,
    caller: Client,
    { fields, parent }: Pick<Row, 'fields' | 'parent'> = {},
  ): Promise<ClientRequest> {
    const { method } = operation;
    const resource = resourceOf(operation);
    const { body, headers, below } = sceneOf(resource);
    if (parent) await this.record(below!, parent);
    const request = { method, path: await this.path(operation.path, fields) };
    if (method === 'POST') return { ...request, payload: await body?.(this.service, caller), headers };
    if (method === 'PUT' && takesRecord(operation))
      return { ...request, payload: { ...(await this.record(resource)), ...changesOf(resource)[1] } };
    return request;
  }
}

/** Two changes of a record, of different fields; the first is of a unique one if there is one. */
export function changesOf(resource: string): readonly [object, object] {
  const { changes } = sceneOf(resource);
  if (!changes) throw new Error(`${resource} have a PUT: add \`changes\` to ${sceneFile(resource)}.`);
  return changes();
}
