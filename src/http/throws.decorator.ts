import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { ErrorName } from '../errors/api-error';

/** The key of the metadata that `@Fails()` sets. */
export const THROWS = 'roster:fails';

/**
 * Says for the documentation which failures an operation can end in besides those that follow from its path, its access
 * rule and its body: conflicts (409), a wrong login (401).
 */
export function Throws(...names: readonly ErrorName[]): CustomDecorator {
  return SetMetadata(THROWS, names);
}
