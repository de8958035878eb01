import { linkHeader } from './response';

const lastId = '65f5f0a2c3d4e5f60718293a';
const records = Array.from({ length: 10 });
const more = { records, hasMore: true, lastId };
const last = { records, hasMore: false, lastId };
const after = `/users?after=${'0'.repeat(24)}`;
const next = (target: string, page = `after=${lastId}`): string => `<${target}${page}>; rel="next"`;
const prev = (target: string): string => `<${target}>; rel="prev"`;

test.each([
  ['is not sent when all records are on one page', '/users', 0, last, []],
  ['continues after the last record, on the path', '/base/users?', 0, more, [next('/base/users?')]],
  ['keeps the other parameters, encoded', '/users?q=a%20%3E%22%C3%A9', 0, more, [next('/users?q=a+%3E%22%C3%A9&')]],
  [
    'leads from a page reached by skip to both sides',
    '/users?skip=20',
    20,
    more,
    [next('/users?'), prev('/users?skip=10')],
  ],
  ['leads from a page reached by after only on', after, 0, more, [next('/users?')]],
  ['ends on the last page reached by after', after, 0, last, []],
  [
    'continues by skip where a list takes no after',
    '/users?skip=50',
    50,
    { records, hasMore: true },
    [next('/users?', 'skip=60'), prev('/users?skip=40')],
  ],
  ['gives a prev that does not overlap', '/users?skip=3&limit=10', 3, last, [prev('/users?limit=3&skip=0')]],
  ['gives an empty page no prev', '/users?skip=30', 30, { records: [], hasMore: false }, []],
  ['gives a prev that is a whole page', '/users?skip=10', 10, last, [prev('/users?skip=0')]],
])('the Link header %s: %s', (_title, target, skip, neighbors, links) => {
  expect(linkHeader(target, { skip, limit: 10 }, neighbors)).toBe(links.join(', ') || undefined);
});
