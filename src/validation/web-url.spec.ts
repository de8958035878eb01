import { isWebUrl } from './web-url';

test.each([
  ...['http://example.com', 'HTTPS://EXAMPLE.com:8443/a?b=c#d', 'https://münchen.example/ü'],
  ...['http://[::1]:3000/', 'http://127.0.0.1', 'http://localhost'],
])('%s is a web URL', (url) => expect(isWebUrl(url)).toBe(true));

test.each([
  ...['example.com', '//example.com', 'ftp://example.com', 'javascript:alert(1)', 'data:text/html,x'],
  ...['http://', 'http:///', 'https://?a', 'http://user@example.com', 'http://:password@example.com'],
  ...['http://example.com/a b', 'http://exa\tmple.com', 'http://example.com/\u2003', 'http://example.com/\u0000'],
  ...['http://example.com:99999', 'http://[::1', 'http://a<b'],
])('%j is no web URL', (url) => expect(isWebUrl(url)).toBe(false));
