import { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { ALLOW } from '../auth/access.decorators';
import { AccessRule, AccessRuleName, accessRules } from '../auth/access-rules';
import { PathResource, Resources } from '../auth/resources';
import { RESPONSE_PLAN, ResponsePlan } from '../http/response-plan';
import { THROWS } from '../http/throws.decorator';
import type { ErrorName } from '../errors/api-error';
import { Method, METHODS, OpenApi, OperationObject } from './open-api';

type Handler = object;

/** One operation: its place in the document, and what the code says of it. */
export interface Operation {
  readonly method: Method;
  /** As the document writes it: `/organizations/{id}`. */
  readonly path: string;
  /** Its part of the document, to be completed. */
  readonly object: OperationObject;
  readonly rule: AccessRule;
  readonly answer: ResponsePlan;
  /** What its path names, and the errors that `@Throws` adds. */
  readonly resources: readonly PathResource[];
  readonly fails: readonly ErrorName[];
  /** Whether its answers have an ETag: those that must not be stored (sessions, tokens) have none. */
  readonly hasETag: boolean;
  /** The classes of the handler's parameters. */
  readonly parameterTypes: readonly unknown[];
}

/** The id by which an operation of the raw document leads to its handler. */
export function handlerId(controller: string, handler: string): string {
  return `${controller}.${handler}`;
}

/**
 * The operations of the document with what decorators and modules say of each.
 *
 * @param document the raw one, whose operation ids are made by `handlerId`
 * @throws Error for a handler without `@Access` or `@Answers`
 */
export function operationsOf(app: INestApplication, document: OpenApi): Operation[] {
  const handlers = handlersOf(app);
  const resources = app.get(Resources, { strict: false });
  return operationObjects(document).map(({ method, path, object }) => {
    const { handler, parameterTypes } = handlers.get(object.operationId)!;
    const rule = read<AccessRuleName>(ALLOW, handler);
    const answer = read<ResponsePlan>(RESPONSE_PLAN, handler);
    if (!rule || !answer) throw new Error(`${object.operationId} has no @Access or no @Answers.`);
    const named = resources.inPath(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    return {
      method,
      path,
      object,
      rule: accessRules[rule],
      answer,
      resources: named,
      fails: read<ErrorName[]>(THROWS, handler) ?? [],
      hasETag: read<{ noStore?: boolean }>(FASTIFY_ROUTE_CONFIG_METADATA, handler)?.noStore !== true,
      parameterTypes,
    };
  });
}

function operationObjects(document: OpenApi): Pick<Operation, 'method' | 'path' | 'object'>[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ method, path, object: item[method] }] : [])),
  );
}

function handlersOf(app: INestApplication): Map<string, { handler: Handler; parameterTypes: readonly unknown[] }> {
  const found = new Map<string, { handler: Handler; parameterTypes: readonly unknown[] }>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (!metatype) continue;
      const prototype = (metatype as Type).prototype as Record<string, Handler>;
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const parameterTypes = Reflect.getMetadata('design:paramtypes', prototype, name) as unknown[] | undefined;
        found.set(handlerId(metatype.name, name), { handler: prototype[name]!, parameterTypes: parameterTypes ?? [] });
      }
    }
  }
  return found;
}

function read<T>(key: string, handler: Handler): T | undefined {
  return Reflect.getMetadata(key, handler) as T | undefined;
}
