import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { createAdapter } from '../../src/platform/http/edge/adapter';
import { addRequestHooks } from '../../src/platform/http/edge/request-hooks';
import { settingsWith } from './settings';

/** A server with these settings and the hooks of every request, without the service behind them. */
export function edgeWith(env?: NodeJS.ProcessEnv): FastifyInstance {
  const settings = settingsWith(env);
  const fastify = createAdapter(settings).getInstance<FastifyInstance>();
  const pass: onRequestHookHandler = (_request, _reply, done) => done();
  addRequestHooks(fastify, settings, pass, pass);
  return fastify;
}

/** Both ends of a new connection to a server, which listens until the connection is closed. */
export async function connected(server: Server): Promise<{ client: Socket; socket: Socket }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [socket] = (await accepted) as [Socket];
  client.once('close', () => server.close());
  return { client, socket };
}

/** What a client receives that sends these texts, each when something came after the one before it, until the end. */
export async function received(server: Server, ...texts: readonly string[]): Promise<string> {
  const { client } = await connected(server);
  const left = [...texts];
  let text = '';
  client.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    client.write(left.shift() ?? '');
  });
  client.write(left.shift()!);
  await new Promise((resolve) => client.once('close', resolve));
  return text;
}

/** The statuses of the responses in what a client receives. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}
