import { Injectable, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';

type Method = (record: object) => Promise<void>;

/**
 * Says what the deletion of a record does to those of this service: `@OnDelete(User)`. The method gets the deleted record
 * and runs in the same transaction, in the order of the modules in app.module.ts; what it throws refuses the deletion.
 */
export const OnDelete = Reflector.createDecorator<Type>();

/** The methods with `@OnDelete`, found when the first is needed. */
@Injectable()
export class Deletions {
  private methods: Map<string, Method[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
  ) {}

  /** Runs what a deletion does to other records. @param model the name of the deleted record's Model */
  async afterDelete(model: string, record: object): Promise<void> {
    this.methods ??= this.find();
    for (const method of this.methods.get(model) ?? []) await method(record);
  }

  private find(): Map<string, Method[]> {
    const methods = new Map<string, Method[]>();
    for (const instance of this.providersInOrder()) {
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = instance[name]!;
        const model = this.reflector.get(OnDelete, method)?.name;
        if (model) methods.set(model, [...(methods.get(model) ?? []), method.bind(instance)]);
      }
    }
    return methods;
  }

  /** Of the modules that the application module imports, in its order; of each its own. */
  private providersInOrder(): Record<string, Method>[] {
    const root = [...this.modules.values()].find(({ distance }) => distance === 1);
    const providers = this.discovery.getProviders({}, [...(root?.imports ?? [])]);
    return providers.map(({ instance }) => instance as Record<string, Method>).filter((one) => one instanceof Object);
  }
}
