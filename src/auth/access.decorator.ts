import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { RuleName, rules } from './rules';

/** The key of the metadata that `@Access()` sets: the name of a rule. */
export const ACCESS = 'roster:access';

/**
 * Says who may use an operation, and documents it. A route without it (or `@Public()`) fails the start.
 *
 * @param rule the name of a rule in rules.ts
 */
export function Allow(rule: RuleName): MethodDecorator {
  const documented = [SetMetadata(ACCESS, rule), ApiExtension('x-access', rules[rule].who)];
  return applyDecorators(...documented, ...(rule === 'anyone' ? [] : [ApiBearerAuth()]));
}
