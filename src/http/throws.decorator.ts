import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { ErrorName } from '../errors/api-error';

export const THROWS = 'roster:throws';

/** Documents the errors of an operation that its path, access rule and body do not imply: conflicts, a wrong login. */
export function Throws(...names: readonly ErrorName[]): CustomDecorator {
  return SetMetadata(THROWS, names);
}
