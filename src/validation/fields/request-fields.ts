import { getMetadataStorage } from 'class-validator';

const known = new WeakMap<object, readonly string[]>();

/**
 * The names of the fields that a DTO takes, in the model's order: base classes first, then as declared. For DTOs that are
 * completely declared: class-validator searches the rules of all DTOs, so this asks it once.
 */
export function requestFieldsOf(dto: object): readonly string[] {
  const names = known.get(dto) ?? declaredFieldsOf(dto);
  known.set(dto, names);
  return names;
}

/** The same, as far as it is declared now. */
export function declaredFieldsOf(dto: object): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto as () => void, '', false, false);
  const own = rules.filter(({ target }) => target === dto);
  const inherited = rules.filter(({ target }) => target !== dto);
  return [...new Set([...inherited, ...own].map(({ propertyName }) => propertyName))];
}
