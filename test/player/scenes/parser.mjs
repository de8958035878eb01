import { holds, same } from '../expect.mjs';
import { sendRaw } from '../raw.mjs';

const END = '\r\nConnection: close\r\n\r\n';

/** An error of the HTTP parser has everything that every error has (contract §2). */
async function unusable(client, status, request) {
  const { status: got, headers, body, text } = await sendRaw(client, request + END);
  same([got, body?.code, body?.status], [status, 1006, 'fail'], `${request.slice(0, 60)} ${text.slice(0, 200)}`);
  same(headers['content-type'], 'application/json; charset=utf-8', 'content type');
  same(headers['x-content-type-options'], 'nosniff', 'nosniff');
  for (const name of ['x-request-id', 'cache-control']) holds(headers[name], name);
  holds(typeof body.message === 'string' && body.message, 'a message');
}

/** @type {import('../play.mjs').Scenes} What the HTTP parser rejects: contract §1.1, §2 */
export const scenes = {
  'what is not HTTP is 400 (1006), with a JSON body like every error': async ({ client }) => {
    for (const request of [
      'nonsense',
      'GET / HTTP/1.1',
      'GET /users HTTP/1.1\r\nHost: x\r\nBad Header: y',
      'POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
      'POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: x',
    ])
      await unusable(client, 400, request);
  },
  'the header section has at most 16 KiB; a larger one is 431 (1006)': async ({ client }) => {
    const request = (length) => `GET /users HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(length)}`;
    await unusable(client, 431, request(17_000));
    same((await sendRaw(client, request(15_000) + END)).status, 401, '15 KB fit');
  },
  'an Expect that is not supported is 417 (1006)': ({ client }) =>
    unusable(client, 417, 'POST /users HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 0'),
};
