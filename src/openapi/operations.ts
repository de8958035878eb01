import { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { ALLOW } from '../auth/access.decorators';
import type { AccessRuleName } from '../auth/access-rules';
import { PathResource, Resources } from '../auth/resources';
import { handlerName } from '../auth/route-access';
import type { ErrorName } from '../errors/api-error';
import { RESPONSE_PLAN, ResponsePlan } from '../http/response-plan';
import { THROWS } from '../http/throws.decorator';
import { Method, METHODS, OpenApi, OperationObject } from './open-api';

/** One operation: its place in the document, and what the code says about it. */
export interface Operation {
  readonly method: Method;
  /** As in the document: `/organizations/{id}`. */
  readonly path: string;
  /** Its handler, with the file. */
  readonly handler: string;
  /** Its part of the document, to be completed. */
  readonly object: OperationObject;
  readonly rule: AccessRuleName;
  readonly plan: ResponsePlan;
  readonly resources: readonly PathResource[];
  /** The errors that `@Throws` adds. */
  readonly throws: readonly ErrorName[];
  /** Whether its responses have an ETag. Those that must not be stored (sessions, tokens) have none. */
  readonly hasETag: boolean;
  /** The classes of the handler's parameters. */
  readonly parameterTypes: readonly unknown[];
}

/** The operation id in the raw document; it leads to the handler. */
export function handlerId(controller: string, handler: string): string {
  return `${controller}.${handler}`;
}

/**
 * The operations of the document, with what decorators and modules say about each.
 *
 * @param document the raw document, with operation ids made by `handlerId`
 * @throws Error for a handler without `@Allow` or `@Returns`
 */
export function operationsOf(app: INestApplication, document: OpenApi): Operation[] {
  const discovery = app.get(DiscoveryService, { strict: false });
  const controllers = new Map(discovery.getControllers().map(({ name, instance }) => [name, instance as object]));
  const resources = app.get(Resources, { strict: false });
  return operationObjects(document).map(({ method, path, object }) => {
    const [controllerName = '', name = ''] = object.operationId.split('.');
    const controller = controllers.get(controllerName)!;
    const handler = (controller as Record<string, object>)[name]!;
    const rule = read<AccessRuleName>(ALLOW, handler);
    const plan = read<ResponsePlan>(RESPONSE_PLAN, handler);
    const source = handlerName({ name: controllerName }, name);
    if (!rule) throw new Error(`${source} has no access rule: add @Allow(…) to it.`);
    if (!plan) throw new Error(`${source} has no response: add @Returns.…(…) to it.`);
    return {
      method,
      path,
      handler: source,
      object: { ...object, operationId: operationId(path, plan) },
      rule,
      plan,
      resources: resources.inPath(path.replaceAll(/\{(\w+)\}/g, ':$1')),
      throws: read<ErrorName[]>(THROWS, handler) ?? [],
      hasETag: read<{ noStore?: boolean }>(FASTIFY_ROUTE_CONFIG_METADATA, handler)?.noStore !== true,
      parameterTypes: (Reflect.getMetadata('design:paramtypes', controller, name) ?? []) as unknown[],
    };
  });
}

/** PUT and DELETE take If-Match, unless the record has no ETag (contract §2). */
export function takesIfMatch({ method, hasETag }: Operation): boolean {
  return hasETag && (method === 'put' || method === 'delete');
}

/** GET of one record takes If-None-Match and may return 304, unless the record has no ETag (contract §2). */
export function takesIfNoneMatch({ plan: { kind }, hasETag }: Operation): boolean {
  return hasETag && (kind === 'one' || kind === 'bytes');
}

function operationObjects({ paths }: OpenApi): Pick<Operation, 'method' | 'path' | 'object'>[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ method, path, object: item[method] }] : [])),
  );
}

function read<T>(key: string, handler: object): T | undefined {
  return Reflect.getMetadata(key, handler) as T | undefined;
}

const VERBS = {
  one: 'get',
  bytes: 'get',
  list: 'list',
  created: 'create',
  updated: 'update',
  deleted: 'delete',
} as const;

/** A name for client code: `listOrganizations`, `getOrganizationManager`. All nouns in paths have a plural with `s`. */
function operationId(path: string, { kind }: ResponsePlan): string {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = nouns.map((noun, index) => {
    return kind === 'list' && index === nouns.length - 1 ? noun : noun.replace(/s$/, '');
  });
  return VERBS[kind] + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
