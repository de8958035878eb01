/**
 * Resolves the references of an operation when it is opened. Swagger UI would parse and normalize the whole document each
 * time, which takes most of a second; all references of this document are local, and none leads back to itself.
 */
export function referencesPlugin() {
  const resolveSubtree = async (document, path) => ({ errors: [], spec: resolve(document, at(document, path)) });
  return { fn: { resolveSubtree } };
}

const at = (document, path) => path.reduce((part, key) => part?.[key], document);

function resolve(document, part) {
  if (Array.isArray(part)) return part.map((item) => resolve(document, item));
  if (part === null || typeof part !== 'object') return part;
  const { $ref, ...others } = part;
  // Swagger UI takes the name of a schema from `$$ref`.
  const whole = $ref ? { ...at(document, $ref.split('/').slice(1)), ...others, $$ref: $ref } : others;
  return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, resolve(document, value)]));
}
