/** JSON schemas of requests and responses. From the latter, Fastify compiles serializers. */

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
    q: { type: 'string', minLength: 1, maxLength: 100 },
  },
};

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const object = (properties) => ({ type: 'object', properties });
const eachText = (...names) => Object.fromEntries(names.map((name) => [name, text]));

export const organization = object({
  ...eachText('_id', 'createdBy', 'createdAt', 'updatedAt', 'name', 'url', 'description', 'slug'),
  managerIds: texts,
  friendlySlugs: object({ slug: object({ base: text, index: { type: 'integer' } }) }),
  organizationLogoFileId: { type: 'string', nullable: true },
  featuredApiIds: texts,
});

export const user = object({
  ...eachText('_id', 'username', 'companyName', 'email'),
  roles: texts,
  ...eachText('createdAt', 'updatedAt'),
});

export const created = object({ status: text, data: organization });

export const list = (item) => object({ status: text, data: { type: 'array', items: item } });

/** All errors are listed, and unknown fields are not removed. The other options are Fastify's. */
export const ajvOptions = { removeAdditional: false, allErrors: true };

const CODES = { required: 5001, type: 5002, additionalProperties: 5003 };

/** ajv's errors as field errors, one per field. */
export function toFieldErrors(errors) {
  const byTitle = new Map();
  for (const { keyword, instancePath, params, message } of errors) {
    const title = String(params.missingProperty ?? params.additionalProperty ?? instancePath.slice(1));
    const item = { code: CODES[keyword] ?? 5007, title, detail: message ?? '' };
    if (!byTitle.has(title)) byTitle.set(title, item);
  }
  return [...byTitle.values()];
}
