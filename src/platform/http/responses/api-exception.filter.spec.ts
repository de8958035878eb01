import { Logger, Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Fastify from 'fastify';
import { createAdapter } from '../edge/adapter';
import { Settings } from '../../base/settings/settings';
import { ApiExceptionFilter } from './api-exception.filter';

/** What no operation does: test/platform/http/errors.e2e-spec.ts has the errors of operations. */

const settings = { trustProxy: false, basePath: '/base' } as Settings;
const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();

@Module({
  providers: [
    { provide: Settings, useValue: settings },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class PagesModule {}

it.each([
  ['throws', '/throws'],
  ['sets a header that cannot be sent', '/header'],
  ['sends what cannot be sent', '/payload'],
])('a page that %s gets the error of the contract, and its other headers stay', async (_what, url) => {
  const app = await NestFactory.create<NestFastifyApplication>(PagesModule, createAdapter(settings), { logger: false });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-request-id', 'one');
    done();
  });
  fastify.get('/throws', () => {
    throw new Error('secret');
  });
  fastify.get('/header', (_request, reply) => reply.header('content-security-policy', 'secret \u0101').send('page'));
  fastify.get('/payload', (_request, reply) => reply.type('text/html').send(1));
  await app.init();
  const { statusCode, headers, body } = await app.inject(url);
  const unexpected = '{"status":"fail","message":"An unexpected error occurred.","code":1900}';
  expect([statusCode, body]).toEqual([500, unexpected]);
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'one' });
  await app.close();
});

it('an error that comes after the response has begun changes nothing of it, and is logged', async () => {
  errors.mockClear();
  const fastify = Fastify().get('/', (request, reply) => {
    reply.raw.write('page');
    new ApiExceptionFilter(settings).catch(new Error('late'), new ExecutionContextHost([request, reply]));
    reply.raw.end();
  });
  const { statusCode, body, headers } = await fastify.inject('/');
  expect([statusCode, body]).toEqual([200, 'page']);
  expect(headers).not.toHaveProperty('content-type');
  expect(errors).toHaveBeenCalledTimes(1);
});
