import type { FastifyInstance } from 'fastify';
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

it('requests that arrive during the shutdown are served', async () => {
  const fastify = serverWith();
  let status: number | undefined;
  fastify.addHook('preClose', async () => void ({ status } = await fetch(fastify.listeningOrigin)));
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  await fastify.close();
  expect(status).toBe(200);
});
