import { Schema } from 'mongoose';
import { projectionOf, shownFields } from './projections';

const embedded = new Schema({ id: String, since: { type: Date, select: false } });
const schema = new Schema({ name: String, secret: { type: String, select: false }, parts: [embedded], one: embedded });

describe('a projection for reads through the driver', () => {
  it('leaves out internal fields, those of embedded records too', () => {
    expect(projectionOf(schema)).toEqual({ secret: 0, 'parts.since': 0, 'one.since': 0 });
  });

  it('has internal fields that are asked for, or only some fields', () => {
    expect(projectionOf(schema, { also: ['secret'] })).toEqual({ 'parts.since': 0, 'one.since': 0 });
    expect(projectionOf(schema, { only: ['name', 'secret'] })).toEqual({ name: 1, secret: 1 });
  });
});

test('A record that was written is returned as it is read', () => {
  expect(shownFields(schema, { name: 'a', secret: 'b', parts: [] })).toEqual({ name: 'a', parts: [] });
});
