import { CustomDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';

/** The key of the metadata that `@Public()` sets. */
export const PUBLIC = 'roster:public';

/**
 * Marks a controller or handler that stands outside the contract (`GET /`, health, metrics): no account, no limits, and
 * no maintenance keeps anyone from it. An operation of the contract that needs no account is not public in this sense:
 * it says so in its access rule.
 */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC, true);
}

const known = new WeakMap<object, boolean>();

/** Whether the guards let this call through unseen. Asked on every request by each guard, so answers are kept. */
export function isPublic(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  const answer = known.get(handler);
  if (answer !== undefined) return answer;
  const marked = [handler, context.getClass()].some((target) => Reflect.getMetadata(PUBLIC, target) === true);
  known.set(handler, marked);
  return marked;
}
