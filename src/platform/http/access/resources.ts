import { Injectable, Provider } from '@nestjs/common';
import { apiError, ErrorName } from '../../base/errors/api-error';
import { AllRecords } from '../../records/records.module';
import { ME, RECORD_ID } from '../record-id';
import type { Ownership } from './access-rules';
import type { Account } from './account';

/** A record that a path names, and who has rights on it. */
export interface LoadedResource {
  readonly record: unknown;
  readonly ownership: Ownership;
}

/** Context passed to loaders. */
export interface LoadContext {
  readonly records: AllRecords;
  /** The record that the path names before this one: the Organization of a Manager. */
  readonly parent: LoadedResource | undefined;
}

/** Turns a piece of a path into a record, and says who has rights on it. */
interface ResourceDefinition<R> {
  /** For the documentation of the path parameter: "The Organization". */
  readonly description: string;
  readonly notFound: ErrorName;
  /** Set for Users: `me` in the place of the id is the caller (contract §1.2). */
  readonly takesMe?: true;
  /** @param id 24 hexadecimal digits; anything else is not found without asking the database */
  load(id: string, context: LoadContext): Promise<R | undefined>;
  /** Rights on the record; undefined when what it belongs to is gone, and the record with it. */
  ownership?(record: R, context: LoadContext): Ownership | undefined | Promise<Ownership | undefined>;
}

/** A piece of a route's path that names a record. */
export interface PathResource {
  readonly param: string;
  readonly definition: ResourceDefinition<unknown>;
}

/** The resources that paths can name, by the piece of the path: `organizations/:id`. */
@Injectable()
export class Resources {
  private readonly definitions = new Map<string, ResourceDefinition<unknown>>();

  constructor(private readonly records: AllRecords) {}

  register<R>(segment: string, definition: ResourceDefinition<R>): void {
    this.definitions.set(segment, definition);
  }

  /**
   * The resources that a route's path names, outermost first.
   * @throws Error at the start for a parameter that no module has registered
   */
  inPath(path: string): readonly PathResource[] {
    const segments = path.split('/').filter(Boolean);
    return segments.flatMap((segment, index) => {
      if (!segment.startsWith(':')) return [];
      const name = `${segments[index - 1]}/${segment}`;
      const definition = this.definitions.get(name);
      if (!definition) {
        const file = `src/${segments[index - 1]}/${segments[index - 1]}.module.ts`;
        throw new Error(`The path "/${segments.join('/')}" has no resource: add resource('${name}', …) to ${file}.`);
      }
      return [{ param: segment.slice(1), definition }];
    });
  }

  /**
   * Loads every record that a path names, outermost first.
   * @param caller is being loaded at the same time; awaited only where the path says `me`
   * @throws ApiError 404 for the first that does not exist
   */
  async load(
    named: readonly PathResource[],
    params: Readonly<Record<string, string>>,
    caller?: Promise<Account | undefined>,
  ): Promise<LoadedResource[]> {
    const loaded: LoadedResource[] = [];
    for (const { param, definition } of named) {
      const given = params[param] ?? '';
      const id = given === ME && definition.takesMe ? String((await caller)?._id) : given;
      const context = { records: this.records, parent: loaded.at(-1) };
      const record = RECORD_ID.test(id) ? await definition.load(id, context) : undefined;
      if (record === undefined) throw apiError(definition.notFound);
      const ownership = definition.ownership ? await definition.ownership(record, context) : {};
      if (!ownership) throw apiError(definition.notFound);
      loaded.push({ record, ownership });
    }
    return loaded;
  }
}

/** Registers how a piece of a path, `organizations/:id`, becomes a record. Goes into the `providers` of a module. */
export function resource<R>(segment: string, definition: ResourceDefinition<R>): Provider {
  return {
    provide: `resource ${segment}`,
    inject: [Resources],
    useFactory: (resources: Resources) => resources.register(segment, definition) ?? segment,
  };
}
