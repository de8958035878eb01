import { RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { rules } from '../../src/registry/access-rules';
import { type AccessRule, AccessRuleName } from '../../src/platform/http/access/access-rules';
import { ALLOW, Public } from '../../src/platform/http/access/decorators';
import { AppModule } from '../../src/app.module';
import { requestFieldsOf } from '../../src/platform/http/fields/field';
import type { Method } from './client';
import { settingsWith } from './settings';

/** An operation of the service, as its controller declares it. */
export interface Operation {
  /** `PUT /users/:id`, for the name of a test. */
  readonly title: string;
  readonly method: Method;
  /** With the names of parameters: `/organizations/:id`. */
  readonly path: string;
  /** Access rule (src/registry/access-rules.ts). */
  readonly rule: AccessRuleName;
  /** The prototype of its controller, and the name of its handler there. */
  readonly controller: object;
  readonly name: string;
  readonly handler: object;
}

const METHODS: Readonly<Partial<Record<RequestMethod, Method>>> = {
  [RequestMethod.GET]: 'GET',
  [RequestMethod.POST]: 'POST',
  [RequestMethod.PUT]: 'PUT',
  [RequestMethod.DELETE]: 'DELETE',
};

/**
 * The operations of the contract (§4), read off the controllers before any service runs, so that each can have a test of
 * its own name. test/structure/scenes.e2e-spec.ts compares them with the routes of a running service.
 */
export function declaredOperations(): Operation[] {
  const { imports = [] } = AppModule.forRoot(settingsWith());
  const controllers = imports.flatMap((module) => (Reflect.getMetadata('controllers', module) ?? []) as Type[]);
  return controllers.flatMap(operationsOf);
}

function operationsOf(controller: Type): Operation[] {
  const prototype = controller.prototype as Record<string, object>;
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const method = METHODS[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    const isPublic = [controller, handler].some((marked) => Reflect.hasMetadata(Public.KEY, marked));
    if (!method || isPublic) return [];
    const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`
      .replace(/\/+/g, '/')
      .replace(/\/$/, '');
    const rule = Reflect.getMetadata(ALLOW, handler) as AccessRuleName;
    return [{ title: nameOf({ method, path }), method, path, rule, controller: prototype, name, handler }];
  });
}

/** An operation as the contract's table writes it: `PUT /users/:id`. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Whether an operation has a credential of its own, in the place of an account: `/links/current`. */
export const takesCredential = ({ rule }: Pick<Operation, 'rule'>): boolean =>
  (rules[rule] as AccessRule).credential !== undefined;

/** The DTOs of a handler's body: the type of its parameter, or that of `@ApiBody` where the handler reads the body. */
export function bodiesOf({ method, controller, name, handler }: Operation): (new () => object)[] {
  if (method !== 'POST' && method !== 'PUT') return [];
  const documented = (Reflect.getMetadata('swagger/apiParameters', handler) ?? []) as { in: string; type?: unknown }[];
  const types = [
    ...(Reflect.getMetadata('design:paramtypes', controller, name) as unknown[]),
    ...documented.filter((parameter) => parameter.in === 'body').map(({ type }) => type),
  ];
  return types.filter(
    (type): type is new () => object => typeof type === 'function' && requestFieldsOf(type).length > 0,
  );
}

/** The conflicts that a handler names (`@Throws`). */
export function conflictsOf({ handler }: Operation): readonly string[] {
  const { 'x-throws': names = [] } = (Reflect.getMetadata('swagger/apiExtension', handler) ?? {}) as {
    'x-throws'?: readonly string[];
  };
  return names;
}

/** The parameters of a list. */
export function queryOf({ controller, name }: Operation): readonly string[] {
  const types = Reflect.getMetadata('design:paramtypes', controller, name) as unknown[];
  const fields = types.map((type) => (typeof type === 'function' ? requestFieldsOf(type as new () => object) : []));
  return fields.find((names) => names.includes('skip')) ?? [];
}

/** The text of openapi.json without its sentences about access, which the service writes by its settings. */
export function withoutAccess(text: string): string {
  return text.replaceAll(/"x-access": .*|\*\*Access:\*\* .*/g, '');
}
