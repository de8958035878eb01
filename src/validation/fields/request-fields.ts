import { getMetadataStorage } from 'class-validator';

const known = new WeakMap<object, readonly string[]>();

/** The names of the fields that a completely declared DTO takes: those of base classes first, then as declared. */
export function requestFieldsOf(dto: object): readonly string[] {
  const names = known.get(dto) ?? declaredFieldsOf(dto);
  known.set(dto, names);
  return names;
}

/** The same while it is being declared. Slow: class-validator searches the rules of all DTOs. */
export function declaredFieldsOf(dto: object): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto as () => void, '', false, false);
  const own = rules.filter(({ target }) => target === dto);
  const inherited = rules.filter(({ target }) => target !== dto);
  return [...new Set([...inherited, ...own].map(({ propertyName }) => propertyName))];
}
