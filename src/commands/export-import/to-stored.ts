import { Error as MongooseError, type Model } from 'mongoose';
import type { AnyModel } from '../../database/any-model';
import { BrokenLine } from './format';
import type { ReadRecord } from './read-export';

/**
 * Converts a record of a file to the types of the schema. Nothing is added and nothing left out.
 *
 * @param isCurrent whether it must have what the schema requires; the steps complete records of earlier versions later
 * @throws BrokenLine for one that does not fit the schema
 */
export async function toStored(
  model: AnyModel,
  { record, line, collection }: ReadRecord,
  isCurrent: boolean,
): Promise<object> {
  const options = { defaults: false, skipId: true, strict: false };
  const document = new (model as Model<object>)(record, undefined, options);
  const errors = await document.validate().then(
    () => ({}),
    (error: unknown) => {
      if (error instanceof MongooseError.ValidationError) return error.errors;
      throw error;
    },
  );
  const problem = Object.values(errors).find(({ name }) => isCurrent || name === 'CastError');
  if (problem) throw new BrokenLine(line, `is not a record of ${collection}: ${problem.path}: ${problem.message}`);
  return document.toBSON();
}
