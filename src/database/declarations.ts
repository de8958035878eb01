import { Injectable, SetMetadata, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Types } from 'mongoose';
import type { FieldError } from '../errors/field-error';

const ON_DELETE = 'roster:on-delete';
const CHECKS_REFERENCE = 'roster:checks-reference';

type Method = (...args: unknown[]) => unknown;
type OnDeleteMethod = (record: never) => Promise<void>;
type ReferenceCheck = (record: never, ids: readonly (Types.ObjectId | string)[]) => Promise<FieldError[]>;

/** A decorator of methods of this type. */
type Mark<M> = (prototype: object, name: string, descriptor: { value?: M }) => void;

const mark = (key: string, value: unknown): Mark<unknown> => SetMetadata(key, value);

/**
 * Says what the deletion of a record does to those of this service. The method gets the deleted record and runs in the
 * same transaction, in the order of the modules in app.module.ts; what it throws refuses the deletion.
 * @param model the class of the deleted record's schema
 */
export function OnDelete(model: Type): Mark<OnDeleteMethod> {
  return mark(ON_DELETE, model.name);
}

/**
 * Says which service checks the ids in a field of another resource. The method gets the record (only its `_id` while it
 * is being created) and the ids of the body, adds a reference to each that is new, and returns the field errors.
 * @param model the class of the schema with the field
 */
export function ChecksReference(model: Type, field: string): Mark<ReferenceCheck> {
  return mark(CHECKS_REFERENCE, `${model.name}.${field}`);
}

/** The methods that the decorators of this file mark, found when the first is needed. */
@Injectable()
export class Declarations {
  private onDelete: Map<string, OnDeleteMethod[]> | undefined;
  private readonly checks = new Map<string, ReferenceCheck>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** Runs what a deletion does to other records. */
  async afterDelete(model: string, record: object): Promise<void> {
    for (const method of this.find().get(model) ?? []) await method(record as never);
  }

  /** Checks the ids that a write sets in fields with a `@ChecksReference`, and adds the references. */
  async checkReferences(model: string, record: object, fields: object): Promise<FieldError[]> {
    this.find();
    const found: FieldError[] = [];
    for (const [field, ids] of Object.entries(fields)) {
      const check = this.checks.get(`${model}.${field}`);
      if (check) found.push(...(await check(record as never, ids as Types.ObjectId[])));
    }
    return found;
  }

  private find(): Map<string, OnDeleteMethod[]> {
    if (this.onDelete) return this.onDelete;
    const onDelete = new Map<string, OnDeleteMethod[]>();
    for (const instance of this.providersInOrder()) {
      const prototype = Object.getPrototypeOf(instance) as Record<string, Method>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype[name]!.bind(instance);
        const deleted = Reflect.getMetadata(ON_DELETE, prototype[name]!) as string | undefined;
        const checked = Reflect.getMetadata(CHECKS_REFERENCE, prototype[name]!) as string | undefined;
        if (deleted) onDelete.set(deleted, [...(onDelete.get(deleted) ?? []), method as OnDeleteMethod]);
        if (checked) this.checks.set(checked, method as ReferenceCheck);
      }
    }
    this.onDelete = onDelete;
    return onDelete;
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
