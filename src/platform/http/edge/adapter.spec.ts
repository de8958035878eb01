import type { FastifyInstance } from 'fastify';
import { received } from '../../../../test/support/edge';
import { settingsWith } from '../../../../test/support/settings';
import { createAdapter } from './adapter';

/** A server with these settings that responds with the address of the client. */
function serverWith(env?: NodeJS.ProcessEnv): FastifyInstance {
  const fastify = createAdapter(settingsWith(env)).getInstance<FastifyInstance>();
  return fastify.get('/', ({ ip }) => ip);
}

it.each([
  ['false', '127.0.0.1'],
  ['loopback', '10.0.0.2'],
  ['1', '10.0.0.2'],
  ['2', '10.0.0.1'],
  ['127.0.0.1,10.0.0.0/8', '192.0.2.1'],
  ['true', '192.0.2.1'],
])('with TRUST_PROXY=%s, the client behind three proxies is %s', async (TRUST_PROXY, address) => {
  const headers = { 'x-forwarded-for': '192.0.2.1, 10.0.0.1, 10.0.0.2' };
  expect((await serverWith({ TRUST_PROXY }).inject({ url: '/', headers })).body).toBe(address);
});

it.each([
  ['false', false],
  ['true', true],
  ['0', false],
  ['1', true],
  ['192.0.2.1', false],
  ['192.0.2.1,127.0.0.1', true],
])('with TRUST_PROXY=%s, the sender may choose the request id: %j', async (TRUST_PROXY, mayChoose) => {
  const fastify = createAdapter(settingsWith({ TRUST_PROXY }))
    .getInstance<FastifyInstance>()
    .get('/', ({ id }) => id);
  const idOf = async (headers: Record<string, string>) => (await fastify.inject({ url: '/', headers })).body;
  const chosen = ['a', 'Az09_.-', 'x'.repeat(64)];
  for (const id of chosen) expect((await idOf({ 'x-request-id': id })) === id).toBe(mayChoose);
  const refused = ['', 'x'.repeat(65), 'a b', 'b<', '<b', 'a,b', 'a"b', '\u00fc'].map((id) => ({ 'x-request-id': id }));
  for (const headers of [...refused, {}]) expect(await idOf(headers)).toMatch(/^[0-9a-f-]{36}$/);
});

it('what the parser or the router cannot read gets the error of the contract', async () => {
  const fastify = serverWith();
  await fastify.ready();
  expect(await received(fastify.server, 'garbage\r\n\r\n')).toMatch(/^link: <\/docs\/errors#1006>.*"code":1006}$/ms);
  expect((await fastify.inject('/%zz')).json()).toMatchObject({ code: 1006 });
});

it('an id of any length reaches the handler', async () => {
  const fastify = createAdapter(settingsWith())
    .getInstance<FastifyInstance>()
    .get('/:id', () => 'found');
  expect((await fastify.inject(`/${'x'.repeat(8000)}`)).body).toBe('found');
});

it('requests that arrive during the shutdown are served', async () => {
  const fastify = serverWith();
  let status: number | undefined;
  fastify.addHook('preClose', async () => void ({ status } = await fetch(fastify.listeningOrigin)));
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  await fastify.close();
  expect(status).toBe(200);
});
