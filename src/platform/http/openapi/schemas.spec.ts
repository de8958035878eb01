import type { SchemaObject } from '@nestjs/swagger';
import { addExample, completeSchema, type OperationObject, type Schemas } from './schemas';

describe('the schema of a DTO', () => {
  const withField = (field: object): SchemaObject => ({ type: 'object', properties: { place: field } });

  it.each([{}, { type: 'object' }, { type: ['object', 'null'] }, { description: 'A place.' }] as object[])(
    'is refused if a field may be anything: %j',
    (field) => {
      expect(() => completeSchema('Shop', withField(field))).toThrow('openapi.json cannot tell what Shop.place is');
    },
  );

  it('may have objects that have a schema, and read-only fields of a request, whose type only a response has', () => {
    const reference = { $ref: '#/components/schemas/Place' };
    for (const field of [reference, { anyOf: [reference, { type: 'null' }] }])
      expect(completeSchema('Shop', withField(field)).properties).toEqual({ place: field });
    expect(completeSchema('ShopInput', withField({ type: 'object', readOnly: true })).properties).toEqual({
      place: {},
    });
    expect(completeSchema('Shop', withField({ type: 'string', readOnly: true })).properties).toEqual({
      place: { type: 'string' },
    });
  });
});

test('the schema of a number that is not less than another one says so in its description', () => {
  const properties = { min: { type: 'integer' }, max: { type: 'integer', 'x-at-least': 'min' } };
  const described = { ...properties.max, description: 'The most.' };
  const max = (field: object): unknown =>
    completeSchema('RangeInput', { type: 'object', properties: { ...properties, max: field } }).properties!.max;
  expect(max(properties.max)).toEqual({ type: 'integer', description: 'At least `min`.' });
  expect(max(described)).toEqual({ type: 'integer', description: 'The most. At least `min`.' });
});

test('the example of a body has those of nested objects', () => {
  const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas: Schemas = {
    ShopInput: {
      properties: { name: { examples: ['Nets'] }, place: { anyOf: [$ref('PlaceInput'), { type: 'null' }] }, _id: {} },
    },
    PlaceInput: { properties: { city: { examples: ['Oslo'] }, country: { type: 'string' } } },
  };
  const content = { 'application/json': { schema: $ref('ShopInput'), example: undefined } };
  addExample({ requestBody: { content } } as unknown as OperationObject, schemas);
  expect(content['application/json'].example).toEqual({ name: 'Nets', place: { city: 'Oslo' } });
});
