import { Schema } from 'mongoose';
import { withoutInternal } from './projections';

const embedded = new Schema({ id: String, since: { type: Date, select: false } });
const schema = new Schema({ name: String, secret: { type: String, select: false }, parts: [embedded], one: embedded });

describe('a projection for reads through the driver', () => {
  it('leaves out internal fields, those of embedded records too', () => {
    expect(withoutInternal(schema)).toEqual({ secret: 0, 'parts.since': 0, 'one.since': 0 });
  });

  it('keeps the internal fields that are asked for', () => {
    expect(withoutInternal(schema, ['secret'])).toEqual({ 'parts.since': 0, 'one.since': 0 });
  });
});
