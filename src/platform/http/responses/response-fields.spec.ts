import { Types } from 'mongoose';
import { ResponseField, toResponse } from './response-fields';

class BaseDto {
  @ResponseField('id') _id!: string;
}

class ThingDto extends BaseDto {
  @ResponseField() name!: string;
  @ResponseField('ids') parts!: string[];
  @ResponseField('timestamp') createdAt!: string;
  @ResponseField('value', ({ secret }: { secret?: string }) => secret) secret?: string;
}

class OtherDto extends BaseDto {
  @ResponseField(ThingDto) thing!: ThingDto | null;
}

const [_id, part] = [new Types.ObjectId(), new Types.ObjectId()];
const createdAt = new Date('2026-03-16T19:07:54.575Z');

test('A response has the declared fields of the record, those of a base class first, ids and dates as text', () => {
  const record = { createdAt, parts: [part], internal: 'hidden', name: '', _id, revision: 3, secret: 'shown' };
  const thing = { _id: String(_id), name: '', parts: [String(part)], createdAt: createdAt.toJSON(), secret: 'shown' };
  expect(Object.entries(toResponse(ThingDto, record))).toEqual(Object.entries(thing));
  expect(toResponse(OtherDto, { _id: part, thing: record })).toStrictEqual({ _id: String(part), thing });
});

test('A response has null for a field that the record lacks, and leaves out a computed one', () => {
  expect(toResponse(ThingDto, {})).toStrictEqual({ _id: null, name: null, parts: null, createdAt: null });
  expect(toResponse(OtherDto, {})).toStrictEqual({ _id: null, thing: null });
});
