import { Injectable, SetMetadata, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Types } from 'mongoose';
import type { FieldError } from '../base/errors/field-error';

/** The metadata of a marked method: the Model or the field that it is for, `User` or `Organization.featuredApiIds`. */
const MARKED_FOR = 'roster:marked-for';

type Method = (record: never, ids: never) => Promise<unknown>;
type OnDeleteMethod = (record: never) => Promise<void>;
type ReferenceCheck = (record: never, ids: readonly (Types.ObjectId | string)[]) => Promise<FieldError[]>;

/** A decorator of methods of this type. */
type Mark<M> = (prototype: object, name: string, descriptor: { value?: M }) => void;

const markFor = (subject: string): Mark<unknown> => SetMetadata(MARKED_FOR, subject);

/**
 * Says what the deletion of a record does to those of this service. The method gets the deleted record and runs in the
 * same transaction, in the order of the modules in app.module.ts; what it throws refuses the deletion.
 * @param model the class of the deleted record's schema
 */
export function OnDelete(model: Type): Mark<OnDeleteMethod> {
  return markFor(model.name);
}

/**
 * Says which service checks the ids in a field of another resource. The method gets the record (only its `_id` while it
 * is being created) and the ids of the body, adds a reference to each that is new, and returns the field errors.
 * @param model the class of the schema with the field
 */
export function ChecksReference(model: Type, field: string): Mark<ReferenceCheck> {
  return markFor(`${model.name}.${field}`);
}

/** The methods that the decorators of this file mark. */
@Injectable()
export class Declarations {
  /** By the Model or the field that they are for; found when the first is needed. */
  private methods: Map<string, Method[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** Runs what a deletion does to other records. */
  async afterDelete(model: string, record: object): Promise<void> {
    for (const method of this.methodsFor<OnDeleteMethod>(model)) await method(record as never);
  }

  /** Checks the ids that a write sets in fields with a `@ChecksReference`, and adds the references. */
  async checkReferences(model: string, record: object, fields: object): Promise<FieldError[]> {
    const found: FieldError[] = [];
    for (const [field, ids] of Object.entries(fields)) {
      for (const check of this.methodsFor<ReferenceCheck>(`${model}.${field}`)) {
        found.push(...(await check(record as never, ids as Types.ObjectId[])));
      }
    }
    return found;
  }

  private methodsFor<M extends Method>(subject: string): M[] {
    this.methods ??= this.findMethods();
    return (this.methods.get(subject) ?? []) as M[];
  }

  private findMethods(): Map<string, Method[]> {
    const methods = new Map<string, Method[]>();
    for (const instance of this.providersInOrder()) {
      const prototype = Object.getPrototypeOf(instance) as Record<string, Method>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const subject = Reflect.getMetadata(MARKED_FOR, prototype[name]!) as string | undefined;
        if (subject) methods.set(subject, [...(methods.get(subject) ?? []), prototype[name]!.bind(instance)]);
      }
    }
    return methods;
  }

  /** The modules that the application module imports, in its order; of each its own providers. */
  private providersInOrder(): object[] {
    const modules = [...this.modules.values()];
    const top = modules.find(({ distance }) => distance === 1);
    // `@nestjs/testing` puts a module of its own around the application's.
    const root = top?.name === 'RootTestModule' ? modules.find(({ distance }) => distance === 2) : top;
    const providers = this.discovery.getProviders({}, [...(root?.imports ?? [])]);
    return providers
      .map(({ instance }) => instance as object | null)
      .filter((one) => typeof one === 'object' && one !== null);
  }
}
