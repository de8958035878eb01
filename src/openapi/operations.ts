import { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ALLOW } from '../auth/decorators';
import type { AccessRuleName } from '../auth/access-rules';
import { PathResource, Resources } from '../auth/resources';
import type { ErrorName } from '../errors/api-error';
import type { RouteSettings } from '../http/response';
import { THROWS } from '../http/returns.decorator';
import type { OperationObject } from './schemas';

/** One operation: its place in the document, and what only the code knows about it. */
export interface Operation {
  readonly method: Method;
  /** As in the document: `/organizations/{id}`. */
  readonly path: string;
  /** Its part of the document, to be completed. */
  readonly object: OperationObject;
  readonly rule: AccessRuleName;
  readonly resources: readonly PathResource[];
  /** The errors that `@Throws` adds. */
  readonly throws: readonly ErrorName[];
}

/** Finds the operations of the raw document's paths, whose operation ids are Nest's: `UsersController_list`. */
export function operationsOf(app: INestApplication, paths: OpenAPIObject['paths']): Operation[] {
  const discovery = app.get(DiscoveryService, { strict: false });
  const controllers = new Map(discovery.getControllers().map(({ name, instance }) => [name, instance as object]));
  const resources = app.get(Resources, { strict: false });
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const object = item[method] as OperationObject | undefined;
      if (!object) return [];
      const [controller = '', name = ''] = object.operationId.split('_');
      const handler = (controllers.get(controller) as Record<string, object>)[name]!;
      const read = <T>(key: string): T | undefined => Reflect.getMetadata(key, handler) as T | undefined;
      const isList = read<RouteSettings>(FASTIFY_ROUTE_CONFIG_METADATA)?.response?.kind === 'list';
      return {
        method,
        path,
        object: { ...object, operationId: operationId(path, isList ? 'list' : VERBS[method]) },
        rule: read<AccessRuleName>(ALLOW)!,
        resources: resources.inPath(path.replaceAll(/\{(\w+)\}/g, ':$1')),
        throws: read<ErrorName[]>(THROWS) ?? [],
      };
    }),
  );
}

const VERBS = { get: 'get', post: 'create', put: 'update', delete: 'delete' } as const;
type Method = keyof typeof VERBS;
const METHODS = Object.keys(VERBS) as Method[];

/** Names client code: `listOrganizations`, `getOrganizationManager`. All nouns in paths have a plural with `s`. */
function operationId(path: string, verb: string): string {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = nouns.map((noun, index) => {
    return verb === 'list' && index === nouns.length - 1 ? noun : noun.replace(/s$/, '');
  });
  return verb + words.flatMap((word) => word.split('-').map(capitalize)).join('');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
