import fc from 'fast-check';
import { isReadableTarget, literalTarget } from './request-target';

describe('literalTarget', () => {
  test.each([
    ['/things', '/things'],
    ['/things?q=%zz#%', '/things?q=%zz#%'],
    ['/things/%41', '/things/%41'],
    ['/things/%zz', '/things/%25zz'],
    ['/things/%', '/things/%25'],
    ['/things/%c3%28/%c3%a9', '/things/%25c3%2528/%c3%a9'],
    ['/things/a#b?c#d', '/things/a%23b?c#d'],
    ['http://host/things/%zz?%zz', '/things/%25zz?%zz'],
    ['HTTPS://host:1', '/'],
    ['http://host?a=/b', '/?a=/b'],
    ['http:///things', 'http:///things'],
  ])('%s is read as %s', (target, read) => {
    expect(literalTarget(target)).toBe(read);
  });

  test('the path always decodes, and the query is untouched', () => {
    const text = fc.string({ unit: fc.constantFrom('%', 'c', '3', 'a', '/', '#', '0', 'f') });
    fc.assert(
      fc.property(text, text, (path, query) => {
        const read = literalTarget(`/${path}?${query}`);
        expect(() => decodeURIComponent(read.slice(0, read.indexOf('?')))).not.toThrow();
        expect(read.slice(read.indexOf('?') + 1)).toBe(query);
      }),
    );
  });
});

test.each([
  ['/', true],
  ['http://host/x', true],
  ['*', false],
  ['*x', false],
  ['ftp://host/', false],
  ['xhttp://host/', false],
  ['HTTPS://host', true],
  ['http:///x', false],
])('isReadableTarget(%j) is %j', (target, readable) => {
  expect(isReadableTarget(target)).toBe(readable);
});
