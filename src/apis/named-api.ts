import type { Model } from 'mongoose';
import { searchText } from '../database/search';
import type { Slugged } from '../slugs/slug-allocation';
import { writeUnderSlug } from '../slugs/slug-writes';
import { apiError } from '../errors/api-error';
import { uniqueKey } from '../validation/case-fold';
import type { Described } from './api.dto';
import type { Api } from './api.schema';

/** The base of the slug of a name that leaves nothing. */
const SLUG_FALLBACK = 'api';

/** The fields that an Api's description sets, with those that are made of it. */
export function describedFields(body: Described): Described & Pick<Api, 'nameKey' | 'searchText'> {
  const { name, url, description, lifecycleStatus, isPublic, documentationUrl } = body;
  const made = { nameKey: uniqueKey(name), searchText: searchText(name, url, description) };
  return { name, url, description, lifecycleStatus, isPublic, documentationUrl, ...made };
}

/**
 * Writes an Api under its name: the slugs of the name are free, and the name is unique in its Organization.
 *
 * @param api the name, and whose it is to be
 * @param own the Api's present slugs; none for a new one
 * @param write writes the Api under these slugs; may run several times
 * @throws Failure apiNameTaken, concurrentChange
 */
export function writeNamed<T>(
  apis: Model<Api>,
  { _id, organizationId, name }: Pick<Api, '_id' | 'organizationId' | 'name'>,
  own: Slugged | undefined,
  write: (slugs: Slugged) => Promise<T>,
): Promise<T> {
  const refuseTaken = async (): Promise<void> => {
    const taken = await apis.exists({ organizationId, nameKey: uniqueKey(name), _id: { $ne: _id } });
    if (taken) throw apiError('apiNameTaken');
  };
  return writeUnderSlug({ model: apis, name, fallback: SLUG_FALLBACK, own, write, refuseTaken });
}
