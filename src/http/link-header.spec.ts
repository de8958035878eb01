import { type ListQuery, SearchableListQuery, SearchablePageQuery } from '../validation/query/page-query.dto';
import { linkHeader, wantsExactCount } from './paging';
import { queryStringOf } from './parse-query';
import { readQuery } from '../validation/query/query.guard';

const lastId = '65f5f0a2c3d4e5f60718293a';
const links = (target: string, hasMore: boolean, dto: new () => ListQuery = SearchablePageQuery): string | undefined =>
  linkHeader(target, readQuery(queryStringOf(target), dto) as ListQuery, { hasMore, lastId });

describe('linkHeader', () => {
  it('is not there when all is on one page', () => expect(links('/users', false)).toBeUndefined());

  it('goes on behind the last record, on the path as it was asked for', () => {
    expect(links('/base/users?', true)).toBe(`</base/users?after=${lastId}>; rel="next"`);
  });

  it('keeps the other parameters, encoded', () => {
    const expected = `</users?q=a+%3E%22%C3%A9&limit=2&after=${lastId}>; rel="next"`;
    expect(links('/users?q=a%20%3E%22%C3%A9&limit=2', true)).toBe(expected);
  });

  it('gives a page reached by skip both neighbours', () => {
    expect(links('/users?skip=20&limit=10', true)).toBe(
      `</users?limit=10&after=${lastId}>; rel="next", </users?limit=10&skip=10>; rel="prev"`,
    );
  });

  it('gives a page reached by after no prev', () => {
    const expected = `</users?limit=2&after=${lastId}>; rel="next"`;
    expect(links(`/users?after=${'0'.repeat(24)}&limit=2`, true)).toBe(expected);
    expect(links(`/users?after=${'0'.repeat(24)}`, false)).toBeUndefined();
  });

  it('goes on by skip where the list takes no after', () => {
    const expected = '</a/managers?skip=60&limit=10>; rel="next"';
    expect(links('/a/managers?limit=10&skip=50', true, SearchableListQuery)).toContain(
      '</a/managers?limit=10&skip=60>',
    );
    expect(links('/a/managers?limit=10', true, SearchableListQuery)).toBe(
      expected.replace('skip=60&limit=10', 'limit=10&skip=10'),
    );
  });

  it('has no prev that overlaps: what comes before is all on it', () => {
    expect(links('/users?skip=3&limit=10', false)).toBe('</users?limit=3&skip=0>; rel="prev"');
    expect(links('/users?skip=50', false)).toBe('</users?skip=0>; rel="prev"');
  });
});

describe('wantsExactCount', () => {
  it.each([
    'count=exact',
    'Count = "exact"',
    'respond-async, count=exact; a=b',
    'COUNT=EXACT',
    'count=exact, count=none',
  ])('%s: yes', (prefer) => expect(wantsExactCount(prefer)).toBe(true));

  it.each([
    '',
    'count',
    'count=none',
    'exact',
    'count=none, count=exact',
    'x-count=exact',
    'a="count=exact"',
    'a="b, count=exact"',
  ])('%j: no', (prefer) => expect(wantsExactCount(prefer)).toBe(false));

  it('takes more than one header, and none', () => {
    expect(wantsExactCount(['a', 'count=exact'])).toBe(true);
    expect(wantsExactCount(undefined)).toBe(false);
  });
});
