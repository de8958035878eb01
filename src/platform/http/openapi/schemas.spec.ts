import { assertNoneHidden, completeSchema, type Schemas } from './schemas';

it.each([
  ['an object', { $ref: '#/components/schemas/Price' }],
  ['an object or null', { anyOf: [{ $ref: '#/components/schemas/Price' }, { type: 'null' }] }],
  ['an object of its own or null', { type: ['object', 'null'], additionalProperties: { type: 'string' } }],
])('a read-only field that is %s has the type of the response', (_what, price) => {
  const all = { Plan: { properties: { price } }, PlanInput: { properties: { price: { readOnly: true } } } } as Schemas;
  const { properties } = completeSchema('PlanInput', all.PlanInput!, all);
  expect(properties?.price).toMatchObject(price);
});

it('a handler whose type is the class of a schema, which would hide the response of that name, stops the build', () => {
  expect(() => assertNoneHidden(['PlanDto', 'PlanInput', 'Price'])).not.toThrow();
  expect(() => assertNoneHidden(['PlanDto', 'Plan'])).toThrow(/^The type of a handler is the class Plan, .*RecordOf/);
});
