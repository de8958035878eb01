/** JSON schemas of requests, for the peers that validate with ajv. */

/** A new Organization, or the new state of one. */
export const organizationInput = {
  type: 'object',
  required: ['name', 'url'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    url: { type: 'string', maxLength: 2048, format: 'uri', pattern: '^https?://' },
    description: { type: 'string', maxLength: 1000 },
  },
};

/** The query parameters of a list; ajv turns the numbers' texts into numbers. */
export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    skip: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    after: { type: 'string', pattern: '^[0-9a-f]{24}$' },
    q: { type: 'string', minLength: 1, maxLength: 100 },
  },
};

/** Options of ajv, as Fastify sets them, except that all errors are listed and unknown fields are not removed. */
export const ajvOptions = /** @type {const} */ ({
  coerceTypes: 'array',
  useDefaults: true,
  removeAdditional: false,
  allErrors: true,
});

const CODES = /** @type {Record<string, number>} */ ({ required: 5001, type: 5002, additionalProperties: 5003 });

/**
 * ajv's errors as field errors, one per field.
 *
 * @param {{keyword: string, instancePath: string, params: Record<string, unknown>, message?: string}[]} errors
 */
export function toFieldErrors(errors) {
  const byTitle = new Map();
  for (const { keyword, instancePath, params, message } of errors) {
    const title = String(params.missingProperty ?? params.additionalProperty ?? instancePath.slice(1));
    const item = { code: CODES[keyword] ?? 5007, title, detail: message ?? '' };
    if (!byTitle.has(title)) byTitle.set(title, item);
  }
  return [...byTitle.values()];
}
