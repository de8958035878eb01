import { RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { AccessRuleName } from '../../src/auth/access-rules';
import { ALLOW, PUBLIC } from '../../src/auth/access.decorators';
import { ApisModule } from '../../src/apis/apis.module';
import { FilesModule } from '../../src/files/files.module';
import { ManagersModule } from '../../src/managers/managers.module';
import { OrganizationsModule } from '../../src/organizations/organizations.module';
import { SessionsModule } from '../../src/sessions/sessions.module';
import { UsersModule } from '../../src/users/users.module';
import type { Method } from '../support/client';
import type { Service } from '../support/service';

type Handler = (...args: never[]) => unknown;

/** An operation of the service, as its controller declares it. */
export interface Operation {
  readonly method: Method;
  /** With the names of parameters: `/organizations/:id`. */
  readonly path: string;
  /** Who may use it (src/auth/access-rules.ts). */
  readonly rule: AccessRuleName;
}

const METHODS: Readonly<Partial<Record<RequestMethod, Method>>> = {
  [RequestMethod.GET]: 'GET',
  [RequestMethod.POST]: 'POST',
  [RequestMethod.PUT]: 'PUT',
  [RequestMethod.DELETE]: 'DELETE',
};

const RESOURCES: readonly Type[] = [
  SessionsModule,
  UsersModule,
  OrganizationsModule,
  ManagersModule,
  ApisModule,
  FilesModule,
];

/**
 * The operations of the contract (§4), read off the controllers before any service runs, so that each can have a test of
 * its own name. `operationsOf` tells what a service has; they must be the same.
 */
export function declaredOperations(): Operation[] {
  return RESOURCES.flatMap((module) => Reflect.getMetadata('controllers', module) as Type[]).flatMap(operationsOfType);
}

/** The operations of a running service. */
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
    if (!method || Reflect.getMetadata(PUBLIC, controller) || Reflect.getMetadata(PUBLIC, handler)) return [];
    const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`.replace(/\/+$/, '');
    return [{ method, path, rule: Reflect.getMetadata(ALLOW, handler) as AccessRuleName }];
  });
}

/** An operation as the contract's table writes it: `PUT /users/:id`. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
