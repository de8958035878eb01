import type { SchemaObject } from '@nestjs/swagger';
import { completeSchema } from './schemas';

const withField = (field: object): SchemaObject => ({ type: 'object', properties: { place: field } });

test.each([{}, { type: 'object' }, { type: ['object', 'null'] }, { description: 'A place.' }] as object[])(
  'a DTO whose field may be anything is refused: %j',
  (field) => {
    expect(() => completeSchema('Shop', withField(field), {})).toThrow('openapi.json cannot tell what Shop.place is');
  },
);

test('a read-only field of a request has the type that it has in the response, which must have it', () => {
  const request = withField({ type: 'object', readOnly: true });
  const opened = { type: 'string', format: 'date-time', description: 'When.', examples: ['x'] };
  const place = { type: 'string', format: 'date-time', description: 'Read-only.' };
  for (const name of ['ShopInput', 'CreateShopInput', 'UpdateShopInput'])
    expect(completeSchema(name, request, { Shop: withField(opened) }).properties).toEqual({ place });
  expect(() => completeSchema('ShopInput', request, { Shop: {} })).toThrow('cannot tell what ShopInput.place is');
});
