import type { Response } from 'light-my-request';
import { PAGES, renderPage } from '../../../../src/platform/http/openapi/markdown-pages';
import { exchange, useRawService } from '../../../support/raw-client';

describe('the pages below /docs', () => {
  const raw = useRawService({ BASE_PATH: '/registry' });
  const { service } = raw;
  const page = (name: string): Promise<Response> => service.app.inject(`/registry/docs/${name}`);

  it.each(Object.keys(PAGES))('/docs/%s has no scripts, and links that lead somewhere', async (name) => {
    const { statusCode, headers, payload } = await page(name);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self'; /);
    expect(payload).not.toMatch(/<script|style=/);
    const links = [...payload.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    for (const link of links.filter((one) => !/^https?:/.test(one))) {
      const { pathname, hash } = new URL(link, `http://x/registry/docs/${name}`);
      const { statusCode: status, payload: there } = await service.app.inject(pathname);
      const isThere =
        pathname.startsWith('/registry') && (hash === '' || there.includes(`id="${decodeURI(hash.slice(1))}"`));
      expect([link, status, isThere]).toEqual([link, 200, true]);
    }
  });

  it('are what the Link of an error leads to, by its code', async () => {
    const { headers } = await service.app.inject('/registry/nothing');
    expect(headers.link).toBe('</registry/docs/errors#1301>; rel="help"');
    expect((await page('errors')).payload).toMatch(/<td id="1301">1301<\/td>\n<td>[^<]+<\/td>\n<td>[^<]+\.<\/td>/);
  });

  it('are what the Link of an error of the HTTP parser leads to', async () => {
    const { headers } = await exchange(raw.port, 'GET / HTTP/9\r\n\r\n');
    expect(headers.link).toBe('</registry/docs/errors#1006>; rel="help"');
  });
});

test('A page has the markup of its file as text, and no link to a script or to a file that is not shown', () => {
  const html = renderPage(
    '# A & <b>B</b>\n\n<script>x</script> [one](javascript:x) [two](../src/main.ts) [three](contract.md#a)\n',
  );
  expect(html).toContain('<title>A &amp; &lt;b&gt;B&lt;/b&gt; – Roster</title>');
  expect(html).toContain(
    '&lt;script&gt;x&lt;/script&gt; [one](javascript:x) <span>two</span> <a href="contract#a">three</a>',
  );
});
