import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderOf } from '../../src/platform/records/schema/sorts';
import type { ApiResponse, Client } from './client';
import { expectOutcome } from './expect-error';
import { type Operation, queryOf } from './operations';
import { idsOf } from './records';
import type { List, Shown } from './scene';
import { operations, resourceOf, rowsOf, sceneFile, sceneOf } from './scenes';
import type { Service } from './service';
import { Stage } from './stage';

/** The operations that list records. */
export const lists = operations.filter(({ method, path }) => method === 'GET' && !/\/(:\w+|current)$/.test(path));

/** Records that a list has at least. */
export const SIZE = 12;

/** The scene of a list. @throws Error that names the file to edit */
export function listOf(operation: Operation): List {
  const resource = resourceOf(operation);
  const list = sceneOf(resource).lists?.[operation.title];
  if (!list) throw new Error(`${operation.title} is a list: add it to \`lists\` of ${sceneFile(resource)}.`);
  return list;
}

/** The document of the service, as far as it tells how a list can be sorted. */
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
}
interface Parameter {
  readonly name: string;
  readonly schema?: { readonly enum?: readonly string[] };
}
const { paths } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as Document;

/** The sorts of a list but those by `_id`, as openapi.json has them. */
function sortsOf({ path }: Operation): readonly string[] {
  const { parameters = [] } = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.get ?? {};
  const { enum: sorts = [] } = parameters.find(({ name }) => name === 'sort')?.schema ?? {};
  return sorts.filter((sort) => !/^-?_id$/.test(sort));
}

/** A list with records, which all callers see or not all of them. Set up before the tests of a `describe`. */
export class FilledList {
  readonly parameters = queryOf(this.operation);
  /** What it can be sorted by, other than `_id`. */
  readonly sorts = sortsOf(this.operation);
  readonly resource = resourceOf(this.operation);
  /** Where to look when a test fails. */
  readonly see = `src/registry/${this.resource}, ${sceneFile(this.resource)}`;
  /** The operation that reads one of its records. */
  private readonly one = operations.find(
    (other) => other.method === 'GET' && /:\w+$/.test(other.path) && resourceOf(other) === this.resource,
  );
  stage!: Stage;
  /** Who may read all of its records, and others: their owner, an account without rights, and an Admin. */
  caller!: Client;
  others!: readonly Client[];
  /** The path, to which parameters can be added. */
  path!: string;
  /** The one that the filters find. */
  record!: Shown;
  /** The ids of all of its records, in its order. */
  all!: string[];

  constructor(
    private readonly service: Service,
    private readonly operation: Operation,
  ) {
    beforeAll(() => this.fill());
  }

  takes(parameter: string): boolean {
    return this.parameters.includes(parameter);
  }

  /** Reads a page. */
  async get(path: string): Promise<ApiResponse> {
    const response = await this.caller.get(path);
    expectOutcome(response, 200);
    return response;
  }

  /** Expects that the others find of these records those that they may read by id, where they may read the list. */
  async expectSeen(path: string, found: readonly string[]): Promise<void> {
    const { isOwn } = listOf(this.operation);
    for (const by of this.others) {
      const response = await by.get(path);
      if (response.status === 403) continue;
      expectOutcome(response, 200);
      const shown = idsOf(response).filter((id) => found.includes(id));
      const readable: string[] = [];
      const mayHave = !isOwn || by === this.stage.admin;
      for (const id of found) if (mayHave && (await this.isReadable(id, by))) readable.push(id);
      expect({ shown, path, by: by.user.username, see: this.see }).toMatchObject({ shown: readable });
    }
  }

  /** The ids of all of its records in the order of a sort, then of `_id`; `-` is the exact reverse. */
  async sortedBy(sort: string): Promise<string[]> {
    const model = this.service.model(sceneOf(this.resource).stored);
    const { by, order } = orderOf(model.schema, sort);
    const stored = await model.collection.find({}, { projection: { [by]: 1 } }).toArray();
    const keyOf = (id: string): Buffer | number => {
      const { [by]: key } = stored.find(({ _id }) => String(_id) === id)!;
      return typeof key === 'string' ? Buffer.from(key) : Number(key);
    };
    const compare = (one: Buffer | number, other: Buffer | number): number =>
      Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.compare(other) : Number(one) - Number(other);
    const sorted = this.all.toSorted((one, other) => compare(keyOf(one), keyOf(other)) || (one < other ? -1 : 1));
    return order === 1 ? sorted : sorted.reverse();
  }

  /** Creates a record that the list has. */
  create(stage: Stage, fields: object = {}): Promise<Shown> {
    return listOf(this.operation).create?.(stage, fields) ?? stage.make(this.resource, fields);
  }

  /** Whether GET shows a record of the list; if there is no such GET, the list alone decides. */
  private async isReadable(id: string, by: Client): Promise<boolean> {
    if (!this.one) return true;
    const collection = await this.stage.path(this.one.path.replace(/\/:\w+$/, ''));
    return (await by.get(`${collection}/${id}`)).status === 200;
  }

  private async fill(): Promise<void> {
    const { fields, within } = listOf(this.operation);
    this.stage = await Stage.of(this.service);
    const { owner, admin } = this.stage;
    this.caller = await this.stage.callerOf(this.resource);
    this.others = [owner, await this.stage.stranger, admin].filter((client) => client !== this.caller);
    // In turn, what each row of the access matrix is about: the one that the filters find is of the last of two.
    const kinds = this.one ? rowsOf(this.one).map((row) => row.fields ?? {}) : [{}];
    for (let number = 1; number < SIZE; number += 1) {
      const isFound = number === SIZE / 2;
      const made = await this.create(this.stage, { ...(isFound && fields), ...kinds[(number - 1) % kinds.length] });
      if (isFound) this.record = made;
    }
    // Somebody else's.
    await this.create(await Stage.of(this.service));
    await this.create(this.stage);
    this.path = `${await this.stage.path(this.operation.path)}?${within ? `${await within(this.stage)}&` : ''}`;
    this.all = idsOf(await this.get(`${this.path}limit=100`));
  }
}
