import { Injectable, OnApplicationBootstrap, RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorator';
import { AccessPlan } from './judgement';
import { PUBLIC } from './public.decorator';
import { RuleName, rules } from './rules';
import { Targets } from './targets';

type Handler = (...args: never[]) => unknown;

/** The access plans of all operations, made once at the start. */
@Injectable()
export class AccessPlans implements OnApplicationBootstrap {
  private readonly plans = new Map<Handler, AccessPlan>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly targets: Targets,
  ) {}

  /** The plan of a handler; none for one outside the contract (`@Public()`). */
  of(handler: Handler): AccessPlan | undefined {
    return this.plans.get(handler);
  }

  /** @throws Error for a route that says neither `@Access` nor `@Public`: access is denied by default */
  onApplicationBootstrap(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (metatype) this.plan(metatype as Type);
    }
  }

  private plan(controller: Type): void {
    const prototype = controller.prototype as Record<string, Handler>;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (!handler || this.reflector.get<RequestMethod>(METHOD_METADATA, handler) === undefined) continue;
      if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [handler, controller])) continue;
      const rule = this.reflector.get<RuleName | undefined>(ACCESS, handler);
      if (!rule) throw new Error(`${controller.name}.${name} has no access rule: add @Access(...).`);
      this.plans.set(handler, { rule: rules[rule], targets: this.targets.ofPath(this.path(controller, handler)) });
    }
  }

  private path(controller: Type, handler: Handler): string {
    const base = this.reflector.get<string>(PATH_METADATA, controller);
    return `${base}/${this.reflector.get<string>(PATH_METADATA, handler)}`;
  }
}
