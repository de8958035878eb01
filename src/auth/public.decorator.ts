import { CustomDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';

/** The key of the metadata that `@Public()` sets. */
export const PUBLIC = 'roster:public';

/**
 * Marks a controller or handler that stands outside the contract's operations (`GET /`, health, metrics): no account,
 * no limits, and no maintenance keeps anyone from it. Its query string is judged like any other (contract §1.4). An
 * operation of the contract that needs no account is not public in this sense: it says so in its access rule.
 */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC, true);
}

const known = new WeakMap<object, boolean>();

/** Whether limits and maintenance spare this call. Each of their guards asks on every request, so answers are kept. */
export function isPublic(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  const answer = known.get(handler);
  if (answer !== undefined) return answer;
  const marked = [handler, context.getClass()].some((target) => Reflect.getMetadata(PUBLIC, target) === true);
  known.set(handler, marked);
  return marked;
}
