import { routableTarget } from './request-target';

test.each(
  Object.entries({
    '/things?q=%zz#%': '/things?q=%zz#%',
    '/things/a#b?c#d': '/things/a%23b?c#d',
    'http://host/things/%zz?%zz': '/things/%zz?%zz',
    'HTTPS://host:1': '/',
    'http://host?a=/b': '/?a=/b',
    'http://host//things': '//things',
    '/things?u=http://host/a': '/things?u=http://host/a',
    'http:///things': '/http:///things',
    '*': '/*',
  }),
)('routableTarget rewrites %s to %s', (target, read) => expect(routableTarget(target)).toBe(read));
