import { mongo } from 'mongoose';
import { BoundedMap } from '../../base/bounded-map';

/** The most records that are remembered, and the largest (bytes): 10 to 20 MiB in all. */
const MAX_RECORDS = 2000;
const MAX_BYTES = 2048;

const known = new BoundedMap<object>(MAX_RECORDS);

/**
 * Decodes a record of a list. While its bytes are those that were read before, it is the same object, so neither it nor
 * its JSON is made again (`itemText` in http/responses/response.ts).
 */
export function decodeRecord(bytes: Buffer): object {
  if (bytes.length > MAX_BYTES) return mongo.BSON.deserialize(bytes);
  const key = bytes.toString('latin1');
  const same = known.get(key);
  if (same) return same;
  const record = Object.freeze(mongo.BSON.deserialize(bytes));
  known.set(key, record);
  return record;
}
