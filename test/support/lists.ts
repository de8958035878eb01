import type { ApiResponse } from './client';
import { expectOutcome } from './expect-error';
import { type Operation, queryOf } from './operations';
import { idsOf } from './records';
import type { List, Shown } from './scene';
import { operations, resourceOf, sceneFile, sceneOf } from './scenes';
import type { Service } from './service';
import { Stage } from './stage';

/** The operations that list records. */
export const lists = operations.filter(({ method, path }) => method === 'GET' && !/:\w+$/.test(path));

/** Records that a list has at least. */
export const SIZE = 12;

/** The scene of a list. @throws Error that names the file to edit */
export function listOf(operation: Operation): List {
  const resource = resourceOf(operation);
  const list = sceneOf(resource).lists?.[operation.title];
  if (!list) throw new Error(`${operation.title} is a list: add it to \`lists\` of ${sceneFile(resource)}.`);
  return list;
}

/** A list with records, read by an Admin. Set up before the tests of a `describe`. */
export class FilledList {
  readonly parameters = queryOf(this.operation);
  readonly resource = resourceOf(this.operation);
  /** Where to look when a test fails. */
  readonly see = `src/registry/${this.resource}, ${sceneFile(this.resource)}`;
  stage!: Stage;
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
    const response = await this.service.admin.get(path);
    expectOutcome(response, 200);
    return response;
  }

  /** Creates a record that the list has. */
  create(stage: Stage, fields: object = {}): Promise<Shown> {
    return listOf(this.operation).create?.(stage, fields) ?? stage.make(this.resource, fields);
  }

  private async fill(): Promise<void> {
    const { fields, within } = listOf(this.operation);
    this.stage = await Stage.of(this.service);
    for (let number = 1; number < SIZE; number += 1) {
      const made = await this.create(this.stage, number === SIZE / 2 ? { ...fields } : {});
      if (number === SIZE / 2) this.record = made;
    }
    // Somebody else's.
    await this.create(await Stage.of(this.service));
    await this.create(this.stage);
    this.path = `${await this.stage.path(this.operation.path)}?${within ? `${await within(this.stage)}&` : ''}`;
    this.all = idsOf(await this.get(`${this.path}limit=100`));
  }
}
