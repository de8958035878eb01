/** JSON schemas of responses, from which Fastify compiles serializers. */
const text = { type: 'string' };
const texts = { type: 'array', items: text };

export const organization = {
  type: 'object',
  properties: {
    _id: text,
    createdBy: text,
    createdAt: text,
    updatedAt: text,
    name: text,
    url: text,
    description: text,
    slug: text,
    managerIds: texts,
    friendlySlugs: {
      type: 'object',
      properties: { slug: { type: 'object', properties: { base: text, index: { type: 'integer' } } } },
    },
    organizationLogoFileId: { type: 'string', nullable: true },
    featuredApiIds: texts,
  },
};

export const user = {
  type: 'object',
  properties: {
    ...{ _id: text, username: text, companyName: text, email: text, roles: texts },
    ...{ createdAt: text, updatedAt: text },
  },
};

export const created = { type: 'object', properties: { status: text, data: organization } };

export const list = (item) => ({ type: 'object', properties: { status: text, data: { type: 'array', items: item } } });
