import { Injectable, SetMetadata, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';

const ON_DELETE = 'roster:on-delete';

type OnDeleteMethod = (record: never) => Promise<void>;

/**
 * Says what the deletion of a record does to those of this service. The method gets the deleted record and runs in the
 * same transaction, in the order of the modules in app.module.ts; what it throws refuses the deletion.
 * @param model the class of the deleted record's schema
 */
export function OnDelete(model: Type): (prototype: object, name: string, method: { value?: OnDeleteMethod }) => void {
  return SetMetadata(ON_DELETE, model.name);
}

/** The methods that `@OnDelete` marks, found when the first is needed. */
@Injectable()
export class Cascades {
  private methods: Map<string, OnDeleteMethod[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** Runs what a deletion does to other records. */
  async afterDelete(model: string, record: object): Promise<void> {
    this.methods ??= this.find();
    for (const method of this.methods.get(model) ?? []) await method(record as never);
  }

  private find(): Map<string, OnDeleteMethod[]> {
    const methods = new Map<string, OnDeleteMethod[]>();
    for (const instance of this.providersInOrder()) {
      const prototype = Object.getPrototypeOf(instance) as Record<string, OnDeleteMethod>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const model = Reflect.getMetadata(ON_DELETE, prototype[name]!) as string | undefined;
        if (model) methods.set(model, [...(methods.get(model) ?? []), prototype[name]!.bind(instance)]);
      }
    }
    return methods;
  }

  /** The modules that the application module imports, in its order; of each its own providers. */
  private providersInOrder(): object[] {
    const root = [...this.modules.values()].find(({ distance }) => distance === 1);
    const providers = this.discovery.getProviders({}, [...(root?.imports ?? [])]);
    return providers
      .map(({ instance }) => instance as object | null)
      .filter((one) => typeof one === 'object' && one !== null);
  }
}
