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
