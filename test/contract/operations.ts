import { RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { AccessRuleName } from '../../src/auth/access-rules';
import { ALLOW, Public } from '../../src/auth/decorators';
import { AppModule } from '../../src/app.module';
import type { Method } from '../support/client';
import type { Service } from '../support/service';
import { settingsWith } from '../support/settings';

type Handler = (...args: never[]) => unknown;

/** An operation of the service, as its controller declares it. */
export interface Operation {
  readonly method: Method;
  /** With the names of parameters: `/organizations/:id`. */
  readonly path: string;
  /** Access rule (src/auth/access-rules.ts). */
  readonly rule: AccessRuleName;
}

const METHODS: Readonly<Partial<Record<RequestMethod, Method>>> = {
  [RequestMethod.GET]: 'GET',
  [RequestMethod.POST]: 'POST',
  [RequestMethod.PUT]: 'PUT',
  [RequestMethod.DELETE]: 'DELETE',
};

/**
 * The operations of the contract (§4), read off the controllers before any service runs, so that each can have a test of
 * its own name. `operationsOf` tells what a service has; they must be the same.
 */
export function declaredOperations(): Operation[] {
  const { imports = [] } = AppModule.forRoot(settingsWith());
  const controllers = imports.map((module) => Reflect.getMetadata('controllers', module) as Type[] | undefined);
  return controllers.flatMap((types) => types ?? []).flatMap(operationsOfType);
}

export function operationsOf({ app }: Service): Operation[] {
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  return controllers.flatMap(({ metatype }) => (metatype ? operationsOfType(metatype as Type) : []));
}

function operationsOfType(controller: Type): Operation[] {
  const prototype = controller.prototype as Record<string, Handler>;
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name] as Handler;
    const method = METHODS[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    const isPublic = [controller, handler].some((marked) => Reflect.hasMetadata(Public.KEY, marked));
    if (!method || isPublic) return [];
    const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`
      .replace(/\/+/g, '/')
      .replace(/\/$/, '');
    return [{ method, path, rule: Reflect.getMetadata(ALLOW, handler) as AccessRuleName }];
  });
}

/** An operation as the contract's table writes it: `PUT /users/:id`. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
