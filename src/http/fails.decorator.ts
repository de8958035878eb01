import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { FailureName } from './failures';

/** The key of the metadata that `@Fails()` sets. */
export const FAILS = 'roster:fails';

/**
 * Says for the documentation which failures an operation can end in besides those that follow from its path, its access
 * rule and its body: conflicts (409), a wrong login (401).
 */
export function Fails(...names: readonly FailureName[]): CustomDecorator {
  return SetMetadata(FAILS, names);
}
