import { getMetadataStorage } from 'class-validator';

/** The names of the fields that a DTO takes, in the model's order: base classes first, then as declared. */
export function requestFieldsOf(dto: object): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto as () => void, '', false, false);
  const own = rules.filter(({ target }) => target === dto);
  const inherited = rules.filter(({ target }) => target !== dto);
  return [...new Set([...inherited, ...own].map(({ propertyName }) => propertyName))];
}
