import fc from 'fast-check';
import { routableTarget } from './request-target';

describe('routableTarget', () => {
  test.each(
    Object.entries({
      '/things?q=%zz#%': '/things?q=%zz#%',
      '/things/%': '/things/%25',
      '/things/%c3%28/%c3%a9': '/things/%25c3%2528/%c3%a9',
      '/things/a#b?c#d': '/things/a%23b?c#d',
      'http://host/things/%zz?%zz': '/things/%25zz?%zz',
      'HTTPS://host:1': '/',
      'http://host?a=/b': '/?a=/b',
      'http:///things': '/http:///things',
      '*': '/*',
    }),
  )('rewrites %s to %s', (target, read) => expect(routableTarget(target)).toBe(read));

  test('makes every path decodable and leaves the query unchanged', () => {
    const text = fc.string({ unit: fc.constantFrom('%', 'c', '3', 'a', '/', '#', '0', 'f') });
    fc.assert(
      fc.property(text, text, (path, query) => {
        const read = routableTarget(`/${path}?${query}`);
        expect(() => decodeURIComponent(read.slice(0, read.indexOf('?')))).not.toThrow();
        expect(read.slice(read.indexOf('?') + 1)).toBe(query);
      }),
    );
  });
});
