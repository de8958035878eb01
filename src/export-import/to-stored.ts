import { Error as MongooseError, HydratedDocument, Model } from 'mongoose';
import type { AnyModel } from '../database/any-model';
import { BrokenLine } from './format';
import type { ReadRecord } from './read-export';

/**
 * A record of a file as it is stored: with the types of the schema.
 *
 * @param isCurrent whether it must have what the schema requires; the steps complete records of earlier versions later
 * @throws BrokenLine for one that does not fit the schema
 */
export async function toStored(
  model: AnyModel,
  { record, line, collection }: ReadRecord,
  isCurrent: boolean,
): Promise<object> {
  // Nothing is added and nothing left out.
  const options = { defaults: false, skipId: true, strict: false };
  const document: HydratedDocument<object> = new (model as Model<object>)(record, undefined, options);
  const problem = (await errorsOf(document)).find(({ name }) => isCurrent || name === 'CastError');
  if (problem) throw new BrokenLine(line, `is not a record of ${collection}: ${problem.path}: ${problem.message}`);
  return document.toBSON();
}

async function errorsOf(
  document: HydratedDocument<object>,
): Promise<(MongooseError.ValidatorError | MongooseError.CastError)[]> {
  try {
    await document.validate();
    return [];
  } catch (error) {
    if (error instanceof MongooseError.ValidationError) return Object.values(error.errors);
    throw error;
  }
}
