import fastify, { type FastifyInstance, type onSendHookHandler } from 'fastify';
import { fixHeadNotModified } from './routing';

let app: FastifyInstance;
const ran: string[] = [];

beforeAll(async () => {
  app = fastify();
  fixHeadNotModified(app);
  const onSend: onSendHookHandler = (_request, _reply, payload, done) => {
    ran.push('the hook of the route');
    done(null, payload);
  };
  app.get('/things', { onSend }, () => 'thing');
  app.get('/same', (_request, reply) => reply.status(304).send());
  app.head('/own', (_request, reply) => reply.status(304).header('content-length', 0).send());
  await app.ready();
});
afterAll(() => app.close());

describe('the Content-Length of a response to HEAD', () => {
  it.each([
    ['/things', '5'],
    ['/same', undefined],
    ['/own', undefined],
  ])('to %s is that of GET, and missing from a 304: %s', async (url, expected) => {
    ran.length = 0;
    const { headers } = await app.inject({ method: 'HEAD', url });
    expect(headers['content-length']).toBe(expected);
    expect(ran).toEqual(url === '/things' ? ['the hook of the route'] : []);
  });
});
