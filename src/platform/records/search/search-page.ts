import { searchKey } from '../../base/text/case-fold';
import type { AnyModel } from '../driver/any-model';
import type { ServerQuirks } from '../driver/quirks';
import { conditionsOf, type ListParams, readPage } from '../reads/find-page';
import type { Page } from '../reads/page';
import { Types } from 'mongoose';
import { searchIndexOf } from './search-index';

/** The most records in which the database looks for a text, and counts it. */
const MAX = 1000;
const MAX_COUNTED = 500;

/**
 * Reads a page of a search in the records that the index names: as many of the first ones as the page may need, and as
 * many as it can name if it is not full.
 * @returns undefined where the index cannot tell, so all records are to be read
 * @throws ApiError overloaded (503) when the database takes too long
 */
export async function searchPage<R extends { _id: Types.ObjectId }>(
  model: AnyModel,
  filter: object,
  query: ListParams,
  readByQuirk: ServerQuirks['readPage'],
): Promise<Page<R> | undefined> {
  const { q = '', own, skip, limit, after, exactCount } = query;
  const text = searchKey(q);
  // Few records are read without the index, too.
  const isServed = text.trim() !== '' && skip + limit < MAX && conditionsOf(model, filter, query).lookups.length === 0;
  const texts = isServed ? await searchIndexOf(model).open() : undefined;
  if (!texts) return undefined;
  // A count is of the records before this page, too.
  const search = {
    text,
    isBackwards: query.sort === '-_id',
    own: own?.toHexString() ?? 'all',
    ...(!exactCount && { after }),
  };
  for (const most of [exactCount ? MAX_COUNTED : 2 * (skip + limit + 1), MAX]) {
    const found = texts.find({ ...search, limit: Math.min(most, MAX) });
    if (exactCount && !found.isAll) return undefined;
    const ids = found.ids.map((id) => new Types.ObjectId(id));
    const page = await readPage<R>(model, filter, query, readByQuirk, ids);
    if (found.isAll || page.hasMore) return page;
  }
  return undefined;
}
