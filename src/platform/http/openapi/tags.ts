import { SetMetadata, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

const DESCRIPTION = 'roster:describes';

/** A group of operations: those of one controller, after which it is named. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Says what the operations of a controller are about: the description of its tag in the OpenAPI document. */
export function Describes(description: string): ClassDecorator {
  return SetMetadata(DESCRIPTION, description);
}

/** The tags of the controllers of these modules, in the order of the modules. */
export function tagsOf(modules: readonly Type[]): Tag[] {
  const controllers = modules.flatMap(
    (module) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[],
  );
  return controllers.flatMap((controller) => {
    const description = Reflect.getMetadata(DESCRIPTION, controller) as string | undefined;
    return description === undefined
      ? []
      : [{ name: tagName(controller.name.replace(/Controller$/, '')), description }];
  });
}

/** `ApiKeys`, as Nest names it after the controller, is `api-keys`. */
export function tagName(name: string): string {
  return name.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}
