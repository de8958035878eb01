import type { Paging } from '../../records/reads/page';
import { linkHeader } from './response';

const lastId = '65f5f0a2c3d4e5f60718293a';
const records = Array.from({ length: 10 });
const target = '/base/users?skip=50&q=a%20%3E%22%C3%A9';
const others = '/base/users?q=a+%3E%22%C3%A9';
const prev = `<${others}&skip=40>; rel="prev"`;

test.each([
  ['continues after the last record', { records, hasMore: true, lastId }, `after=${lastId}`],
  ['continues by skip where a list takes no after', { records, hasMore: true }, 'skip=60'],
])('Link keeps the path and the other parameters, encoded, and %s', (_title, page, next) => {
  expect(linkHeader(target, { skip: 50, limit: 10 }, page)).toBe(`<${others}&${next}>; rel="next", ${prev}`);
});

test.each<[string, string, Paging, number, string | undefined]>([
  ['replaces the after of the request', '/a?after=x&limit=5', { skip: 0, limit: 5 }, 5, '</a?limit=5&after=y>'],
  ['has no prev on the first page', '/a?skip=0', { skip: 0 }, 0, undefined],
  ['has no prev on an empty page', '/a?skip=3', { skip: 3 }, 0, undefined],
  ['shortens the previous page where fewer come before', '/a', { skip: 3, limit: 5 }, 1, '</a?skip=0&limit=3>'],
  ['has 100 as the size of a page without one', '/a', { skip: 150 }, 1, '</a?skip=50&limit=100>'],
])('Link %s', (_title, url, paging, length, expected) => {
  const found = linkHeader(url, paging, { records: Array.from({ length }), hasMore: length === 5, lastId: 'y' });
  expect(found?.replace(/; rel="\w+"/, '')).toBe(expected);
});
