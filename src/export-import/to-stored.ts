import type { AnyModel } from '../database/any-model';
import { messageOf } from '../errors/message-of';
import { BrokenLine } from './format';
import type { ReadRecord } from './read-export';

/**
 * A record of a file as it is stored: with the types of the schema.
 *
 * @param isCurrent whether the schema says what it must have; the steps complete records of earlier versions later
 * @throws BrokenLine for one that does not fit the schema
 */
export async function toStored(
  model: AnyModel,
  { record, line, collection }: ReadRecord,
  isCurrent: boolean,
): Promise<object> {
  // Nothing is added and nothing left out.
  const document = new model(record, undefined, { defaults: false, skipId: true, strict: false });
  if (isCurrent) {
    await document.validate().catch((error: unknown) => {
      throw new BrokenLine(line, `is not a record of ${collection}: ${messageOf(error)}`);
    });
  }
  return document.toBSON() as object;
}
