import fastify, { type FastifyInstance } from 'fastify';
import { leaveLengthOutOf304 } from './head-routes';

let app: FastifyInstance;
const ran: string[] = [];

beforeAll(async () => {
  app = fastify();
  leaveLengthOutOf304(app);
  const onSend = (
    _request: unknown,
    _reply: unknown,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ) => {
    ran.push('the hook of the route');
    done(null, payload);
  };
  app.get('/things', { onSend }, () => 'thing');
  app.get('/same', (_request, reply) => reply.status(304).send());
  app.head('/own', (_request, reply) => reply.status(304).header('content-length', 0).send());
  app.get('/named', (_request, reply) => reply.status(304).header('content-length', 5).send());
  await app.ready();
});
afterAll(() => app.close());
beforeEach(() => ran.splice(0));

const lengthOf = async (method: 'HEAD' | 'GET', url: string): Promise<unknown> =>
  (await app.inject({ method, url })).headers['content-length'];

describe('the Content-Length of an answer to HEAD', () => {
  it('is that of the body of GET', async () => expect(await lengthOf('HEAD', '/things')).toBe('5'));

  it.each(['/same', '/own'])('is left out of a 304: %s', async (url) => {
    expect(await lengthOf('HEAD', url)).toBeUndefined();
  });

  it('leaves hooks that a route has of its own', async () => {
    await lengthOf('HEAD', '/things');
    expect(ran).toEqual(['the hook of the route']);
  });

  it('is nothing that answers to GET are asked for', async () => expect(await lengthOf('GET', '/named')).toBe('5'));
});
