import { Schema } from 'mongoose';
import { projectionOf } from './projections';

const embedded = new Schema({ id: String, since: { type: Date, select: false } });
const schema = new Schema({ name: String, secret: { type: String, select: false }, parts: [embedded], one: embedded });

describe('a projection for reads through the driver', () => {
  it('leaves out internal fields, those of embedded records too', () => {
    expect(projectionOf(schema)).toEqual({ secret: 0, 'parts.since': 0, 'one.since': 0 });
  });
});
