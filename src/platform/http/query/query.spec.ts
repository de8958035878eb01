import { type ExecutionContext, Get, Query } from '@nestjs/common';
import { RecordId } from '../fields/value-fields';
import { QueryIds } from './query-fields';
import { SearchablePageQuery } from './page-query.dto';
import { QueryGuard } from './query.guard';
import { RequestValidationPipe } from '../validation.pipe';

class SampleQuery extends SearchablePageQuery {
  @QueryIds() id?: readonly string[];
  @RecordId({ filter: true }) organizationId?: string;
}

class Lists {
  @Get() list(@Query() _query: SampleQuery): void {}
}

/** Lets the guard check a request, and the pipe its query. @returns the query as the handler gets it */
async function check(originalUrl: string, prefer?: string | string[]): Promise<unknown> {
  const request = { headers: { prefer }, method: 'GET', originalUrl, query: undefined as unknown };
  const http = { getRequest: () => request };
  const context = { getClass: () => Lists, getHandler: () => Lists.prototype.list, switchToHttp: () => http };
  new QueryGuard().canActivate(context as unknown as ExecutionContext);
  return new RequestValidationPipe().transform(request.query, { type: 'query', metatype: SampleQuery });
}

const id = '65f5f0a2c3d4e5f60718293a';
const read = (queryString: string): Promise<unknown> => check(`/things?${queryString}`);
const page = { skip: 0, limit: 50, sort: '_id' };

it.each<[string, object]>([
  ['&', page],
  ['skip=1000000&limit=100', { ...page, skip: 1_000_000, limit: 100 }],
  [`after=${id}`, { ...page, after: id }],
  [`id=${id}`, { ...page, limit: 100, id: [id] }],
  [`id=${id}&limit=2`, { ...page, limit: 2, id: [id] }],
  ['q=a+b%2Bc', { ...page, q: 'a b+c' }],
  ['q=a=b?c', { ...page, q: 'a=b?c' }],
  ['%71=%F0%9F%98%80', { ...page, q: '😀' }],
])('the query string %s is accepted', async (queryString, expected) => {
  expect({ ...((await read(queryString)) as object) }).toStrictEqual(expected);
});

const KNOWN = 'is unknown; these are known: skip, limit, after, q, updatedSince, sort, id, organizationId.';

it.each<[string, string, string[]]>([
  ['limit', 'must be a whole number from 1 to 100', ['limit=0', 'limit']],
  ['after', 'cannot be combined with "skip"', [`after=${id}&skip=0`, `skip=0&after=${id}`]],
  ['q', 'is given twice', ['q=a&q=a', 'q=a&%71=b']],
  ['q', 'contains a control character', ['q=a%00b', 'q=a%0Ab', 'q=%C2%85']],
  ['q', 'is not encoded correctly', ['q=\u00e9']],
  ['q', 'is not percent-encoded UTF-8', ['q=%', 'q=%zz', 'q=%FF', 'q=%ED%A0%80', 'q=%C0%80']],
  ['a%00', 'contains a control character', ['a%00=1']],
  ['%', 'is not percent-encoded UTF-8', ['%=1']],
  ['x', KNOWN, ['x=1', 'limit=a&x=1']],
  ['😀'.repeat(100), KNOWN, [`${encodeURIComponent('😀'.repeat(101))}=1`]],
  ...['', 'Q', 'q[]', '__proto__', 'constructor'].map((name): [string, string, string[]] => [
    name,
    KNOWN,
    [`${name}=1`],
  ]),
])('is refused: "%s" %s: %j', async (name, reason, queryStrings) => {
  const message = expect.stringContaining(`The query parameter "${name}" ${reason}`) as string;
  const refusal = expect.objectContaining({ status: 400, code: 1002, message }) as Error;
  for (const queryString of queryStrings) await expect(read(queryString)).rejects.toEqual(refusal);
});

it.each<[boolean | undefined, unknown[]]>([
  [true, ['count=exact', 'Count = "exact"', 'respond-async, count=exact; a=b', 'COUNT=EXACT']],
  [true, ['count=exact, count=none', ['a', 'count=exact']]],
  [undefined, [undefined, '', 'count', 'count=none', 'exact', 'count=none, count=exact', 'x-count=exact']],
  [undefined, ['a="count=exact"', 'a="b, count=exact"', 'a="b, count=exact, c"', 'count, count=exact']],
])('a list counts all records (%j) with Prefer: %j', async (exactCount, headers) => {
  for (const prefer of headers as string[])
    expect([prefer, await check('/things', prefer)]).toEqual([prefer, { ...page, exactCount }]);
});
