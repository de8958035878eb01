import { Injectable, OnApplicationBootstrap, RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ALLOW, NO_API_KEY, Public } from './decorators';
import { AccessRuleName, accessRules } from './access-rules';
import type { ApiKeyScope } from './api-key';
import type { RouteAccess } from './request-access';
import { CURRENT, Resources } from './resources';

type Handler = (...args: never[]) => unknown;

/** The access rule of every route and the resources that its path names, read once at the start. */
@Injectable()
export class RouteAccessTable implements OnApplicationBootstrap {
  private readonly routes = new Map<Handler, RouteAccess>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly resources: Resources,
  ) {}

  /** @returns undefined for a handler that is not an operation of the contract (`@Public()`) */
  of(handler: Handler): RouteAccess | undefined {
    return this.routes.get(handler);
  }

  /** @throws Error for a route without `@Allow` or `@Public`, or whose rule cannot deny access: it is denied by default */
  onApplicationBootstrap(): void {
    for (const { metatype } of this.discovery.getControllers()) this.read(metatype as Type);
  }

  private read(controller: Type): void {
    const prototype = controller.prototype as Record<string, Handler>;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      const method = handler && this.reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
      if (!handler || method === undefined) continue;
      if (this.reflector.getAllAndOverride(Public, [handler, controller])) continue;
      const rule = this.reflector.get<AccessRuleName | undefined>(ALLOW, handler);
      if (!rule) throw new Error(`${controller.name}.${name} has no access rule: add @Allow(…) to it.`);
      const path = [controller, handler].map((target) => this.reflector.get<string>(PATH_METADATA, target)).join('/');
      const scopes = this.reflector.get<boolean>(NO_API_KEY, handler) ? [] : scopesFor(method);
      const access: RouteAccess = { rule: accessRules[rule], scopes, resources: this.resources.inPath(path) };
      // Such a rule allows everybody: the credential is checked by loading what it names.
      if (!!access.rule.credential !== access.resources.some(({ param }) => param === CURRENT))
        throw new Error(
          `${controller.name}.${name}: a path with /${CURRENT} and a rule with a credential need each other.`,
        );
      this.routes.set(handler, access);
    }
  }
}

/** HEAD has the handler of GET. */
function scopesFor(method: RequestMethod): readonly ApiKeyScope[] {
  return method === RequestMethod.GET ? ['read', 'write'] : ['write'];
}
