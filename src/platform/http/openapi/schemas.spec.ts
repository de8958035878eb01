import type { SchemaObject } from '@nestjs/swagger';
import { addExample, completeSchema, type OperationObject, type Schemas } from './schemas';

describe('the schema of a DTO', () => {
  const withField = (field: object): SchemaObject => ({ type: 'object', properties: { place: field } });

  it.each([{}, { type: 'object' }, { type: ['object', 'null'] }, { description: 'A place.' }] as object[])(
    'is refused if a field may be anything: %j',
    (field) => {
      expect(() => completeSchema('Shop', withField(field), {})).toThrow('openapi.json cannot tell what Shop.place is');
    },
  );

  const reference = { $ref: '#/components/schemas/Place' };

  it('may have objects that have a schema, and values of any type', () => {
    for (const field of [reference, { anyOf: [reference, { type: 'null' }] }])
      expect(completeSchema('Shop', withField(field), {}).properties).toEqual({ place: field });
    expect(completeSchema('Shop', withField({ type: 'object', 'x-any': true }), {}).properties).toEqual({ place: {} });
  });

  describe('of a request', () => {
    const readOnly = (all: Schemas, name = 'ShopInput') =>
      completeSchema(name, withField({ type: 'object', readOnly: true }), all);

    it('has read-only fields of the type that they have in the response', () => {
      const opened = { type: 'string', format: 'date-time', pattern: 'T.*Z$', description: 'When.', examples: ['x'] };
      const place = { type: 'string', format: 'date-time', description: 'Read-only.' };
      for (const name of ['ShopInput', 'CreateShopInput', 'UpdateShopInput'])
        expect(readOnly({ Shop: withField(opened) }, name).properties).toEqual({ place });
      expect(readOnly({ Shop: withField(reference) }).properties).toEqual({ place: reference });
      const list = { type: 'array', items: { type: 'string' }, description: 'Read-only.' };
      expect(readOnly({ Shop: withField(list) }).properties).toEqual({ place: { ...list, type: ['array', 'null'] } });
      expect(readOnly({ Shop: {}, ShopItem: withField(opened) }).properties).toEqual({ place });
    });

    it('is refused if the response lacks a read-only field', () => {
      expect(() => readOnly({ Shop: {} })).toThrow('openapi.json cannot tell what ShopInput.place is');
    });

    it('names the fields of which one is required, and has no alternatives', () => {
      const schema = { ...withField({ type: 'string' }), 'x-exactly-one-of': ['place', 'site'] };
      expect(completeSchema('ShopInput', schema, {})).toEqual({
        ...withField({ type: 'string' }),
        description: 'Exactly one of `place` and `site` is required.',
        additionalProperties: false,
      });
    });
  });
});

test('the example of a body has those of its fields', () => {
  const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas: Schemas = {
    ShopInput: {
      properties: { name: { examples: ['Nets'] }, _id: {} },
    },
  };
  const content = { 'application/json': { schema: $ref('ShopInput'), example: undefined } };
  addExample({ requestBody: { content } } as unknown as OperationObject, schemas);
  expect(content['application/json'].example).toEqual({ name: 'Nets' });
});
