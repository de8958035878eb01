import { Injectable, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { apiError, ErrorName } from '../../base/errors/api-error';
import { ME, RECORD_ID } from '../record-id';
import type { Ownership } from './access-rules';
import type { Account } from './account';

/** A record that a path names, and who has rights on it. */
export interface LoadedResource {
  readonly record: unknown;
  /** What it leaves out is that of its parent. */
  readonly ownership?: Ownership;
}

/** What the documentation and the responses say of a piece of a path. */
interface ResourceDescription {
  /** For the documentation of the path parameter: "The Organization". */
  readonly description: string;
  readonly notFound: ErrorName;
  /** Set for Users: `me` in the place of the id is the caller (contract §1.2). */
  readonly takesMe?: true;
}

/**
 * Turns the piece of a path into a record, and says who has rights on it.
 * @param id 24 hexadecimal digits; anything else is not found without asking the database. For `current`, the credential
 * @param parent the record that the path names before this one: the Organization of a Manager
 * @returns undefined when there is no such record, or the record that it belongs to was deleted, and this one with it
 */
type Load = (id: string, parent: LoadedResource) => Promise<LoadedResource | undefined>;

type ResourceDefinition = ResourceDescription & { readonly load: Load };

/** The piece of a path in the place of an id that stands for what the credential names: `/links/current`. */
export const CURRENT = 'current';

const LOADS = 'roster:loads';
type Loading = [segment: string, ResourceDescription];

/** Marks the method of a provider that loads what a piece of a path names: `@Loads('organizations/:id', …)`, or `'…/current'`. */
export function Loads(
  segment: string,
  description: ResourceDescription,
): (prototype: object, name: string, descriptor: { value?: Load }) => void {
  return SetMetadata(LOADS, [segment, description] satisfies Loading);
}

/** A piece of a route's path that names a record. */
export interface PathResource {
  readonly param: string;
  readonly definition: ResourceDefinition;
}

/** The resources that paths can name: the methods with `@Loads`. */
@Injectable()
export class Resources {
  /** By the piece of the path; found when the first is needed. */
  private definitions: ReadonlyMap<string, ResourceDefinition> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * The resources that a route's path names, outermost first.
   * @throws Error at the start for a parameter that no method loads
   */
  inPath(path: string): readonly PathResource[] {
    const definitions = (this.definitions ??= this.find());
    const segments = path.split('/').filter(Boolean);
    return segments.flatMap((segment, index) => {
      if (!segment.startsWith(':') && segment !== CURRENT) return [];
      const name = `${segments[index - 1]}/${segment}`;
      const definition = definitions.get(name);
      if (!definition) {
        const folder = `src/registry/${segments[index - 1]}`;
        throw new Error(`Nothing loads "${name}" of /${segments.join('/')}: add @Loads('${name}', …) in ${folder}.`);
      }
      return [{ param: segment.replace(':', ''), definition }];
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
      const parent = loaded.at(-1);
      const resource = param === CURRENT || RECORD_ID.test(id) ? await definition.load(id, parent!) : undefined;
      if (!resource) throw apiError(definition.notFound);
      loaded.push({ ...resource, ownership: { ...parent?.ownership, ...resource.ownership } });
    }
    return loaded;
  }

  private find(): Map<string, ResourceDefinition> {
    const found = new Map<string, ResourceDefinition>();
    for (const { instance } of this.discovery.getProviders() as { instance: unknown }[]) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, Load>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const load = prototype[name]!;
        const loading = Reflect.getMetadata(LOADS, load) as Loading | undefined;
        if (loading) found.set(loading[0], { ...loading[1], load: load.bind(instance) });
      }
    }
    return found;
  }
}
