import { Logger, Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAdapter } from '../edge/adapter';
import { Settings } from '../../base/settings/settings';
import { ApiExceptionFilter } from './api-exception.filter';

const settings = { trustProxy: false, basePath: '' } as Settings;

@Module({
  providers: [
    { provide: Settings, useValue: settings },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class PagesModule {}

it.each([
  ['throws', '/throws'],
  ['rejects', '/rejects'],
  ['sets a header that cannot be sent', '/header'],
  ['sends what cannot be sent', '/payload'],
])('a page that %s gets the error of the contract, and its other headers stay', async (_what, url) => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const app = await NestFactory.create<NestFastifyApplication>(PagesModule, createAdapter(settings), { logger: false });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-request-id', 'one');
    done();
  });
  fastify.get('/throws', () => {
    throw new Error('secret');
  });
  fastify.get('/rejects', () => Promise.reject(new Error('secret')));
  fastify.get('/header', (_request, reply) => reply.header('content-security-policy', 'secret \u0101').send('page'));
  fastify.get('/payload', (_request, reply) => reply.type('text/html').send(1));
  await app.init();
  const { statusCode, headers, body } = await app.inject(url);
  expect({ statusCode, body }).toEqual({
    statusCode: 500,
    body: '{"status":"fail","message":"An unexpected error occurred.","code":1900}',
  });
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'one' });
  expect(headers).not.toHaveProperty('content-security-policy');
  await app.close();
});
