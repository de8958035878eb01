import { Types } from 'mongoose';
import { ResponseField, toResponse } from './response-fields';

class BaseDto {
  @ResponseField('id') _id!: string;
}

class ThingDto extends BaseDto {
  @ResponseField() name!: string;
  @ResponseField('ids') parts!: string[];
  @ResponseField('id') owner!: string | null;
  @ResponseField('timestamp') createdAt!: string;
  @ResponseField('value', ({ name }: { name: string }) => name.length) length!: number;
  @ResponseField('value', ({ secret }: { secret?: string }) => secret) secret?: string;
}

class OtherDto extends BaseDto {
  @ResponseField() other!: string;
}

class ValuesDto {
  @ResponseField() flag!: boolean;
  @ResponseField('integer') count!: number;
  @ResponseField('ids') list!: string[];
  @ResponseField('date') day!: string;
}

class NestedDto {
  @ResponseField(ValuesDto) values!: ValuesDto | null;
}

const _id = new Types.ObjectId();
const part = new Types.ObjectId();
const createdAt = new Date('2026-03-16T19:07:54.575Z');

describe('a response', () => {
  it('shows the declared fields of the record in their order, ids and dates as text', () => {
    const record = { createdAt, parts: [part], owner: _id, internal: 'hidden', name: 'Ada', _id, revision: 3 };
    const response = toResponse(ThingDto, record);
    const ids = { parts: [part.toHexString()], owner: _id.toHexString() };
    const expected = { _id: ids.owner, name: 'Ada', ...ids, createdAt: '2026-03-16T19:07:54.575Z', length: 3 };
    expect(Object.entries(response)).toEqual(Object.entries(expected));
  });

  it('shows null for a field that the record lacks, but keeps false, zero and empty values', () => {
    const response = toResponse(ThingDto, { name: '', owner: undefined });
    const missing = { _id: null, parts: null, owner: null, createdAt: null };
    expect(response).toStrictEqual({ ...missing, name: '', length: 0 });
    const values = { flag: false, count: 0, list: [] };
    expect(toResponse(ValuesDto, values)).toEqual({ ...values, day: null });
  });

  it('shows an object as its DTO says', () => {
    const values = { flag: true, count: 1, list: [part], hidden: 1 };
    expect(toResponse(NestedDto, { values })).toStrictEqual({
      values: { flag: true, count: 1, list: [part.toHexString()], day: null },
    });
    expect(toResponse(NestedDto, {})).toStrictEqual({ values: null });
  });

  it('leaves out a computed field that is undefined', () => {
    expect(toResponse(ThingDto, { name: '', secret: 'shown' })).toHaveProperty('secret', 'shown');
    expect(toResponse(ThingDto, { name: '' })).not.toHaveProperty('secret');
  });

  it('has the fields of its base class, and none of another class', () => {
    expect(toResponse(OtherDto, { _id, other: 'x' })).toStrictEqual({ _id: _id.toHexString(), other: 'x' });
  });
});
