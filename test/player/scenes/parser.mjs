import { holds, same } from '../expect.mjs';
import { sendRaw } from '../raw.mjs';

const END = '\r\nConnection: close\r\n\r\n';

/** A failure of the HTTP parser still carries what every failure carries (contract §2). */
async function unusable(world, status, bytes) {
  const { status: got, headers, body, text } = await sendRaw(world.client, bytes);
  same(
    [got, body?.code, body?.status],
    [status, 1006, 'fail'],
    `${JSON.stringify(bytes.slice(0, 60))} ${text.slice(0, 200)}`,
  );
  same(headers['content-type'], 'application/json; charset=utf-8', 'content type');
  holds(headers['x-request-id'], 'X-Request-Id');
  same(headers['x-content-type-options'], 'nosniff', 'nosniff');
  holds(headers['cache-control'], 'Cache-Control');
  holds(typeof body.message === 'string' && body.message, 'a message');
}

/** @type {import('../play.mjs').Scene[]} What the HTTP parser refuses: contract §1.1, §2 */
export const scenes = [
  [
    'what is no HTTP is 400 (1006), in JSON like every failure',
    async (world) => {
      await unusable(world, 400, 'nonsense\r\n\r\n');
      await unusable(world, 400, `GET / HTTP/1.1${END}`);
      await unusable(world, 400, `GET /users HTTP/1.1\r\nHost: x\r\nBad Header: y${END}`);
      await unusable(
        world,
        400,
        `POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked${END}`,
      );
      await unusable(world, 400, `POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: x${END}`);
    },
  ],
  [
    'the header section holds ≤ 16 KiB, else 431 (1006)',
    async (world) => {
      await unusable(world, 431, `GET /users HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}${END}`);
      const { status } = await sendRaw(
        world.client,
        `GET /users HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15_000)}${END}`,
      );
      same(status, 401, '15 KB fit');
    },
  ],
  [
    'an Expect that cannot be met is 417 (1006)',
    (world) => unusable(world, 417, `POST /users HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 0${END}`),
  ],
];
