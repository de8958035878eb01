import { mongo } from 'mongoose';
import { decodeRecord } from './find-page';

const bytesOf = (record: object): Buffer => Buffer.from(mongo.BSON.serialize(record));

it('a record with the bytes of one that was read before is the same object', () => {
  const record = { _id: new mongo.ObjectId(), name: 'Miller & Søns', revision: 1 };
  const decoded = decodeRecord(bytesOf(record));
  expect(decoded).toEqual(record);
  expect(decodeRecord(bytesOf(record))).toBe(decoded);
});

it('a record of which one byte is another one is decoded again', () => {
  const record = { _id: new mongo.ObjectId(), name: 'one', revision: 1 };
  expect(decodeRecord(bytesOf(record))).toEqual(record);
  expect(decodeRecord(bytesOf({ ...record, name: 'onf' }))).toEqual({ ...record, name: 'onf' });
});
