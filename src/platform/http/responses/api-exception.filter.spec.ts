import { Logger, Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { MongooseError } from 'mongoose';
import { createAdapter } from '../edge/adapter';
import { apiError } from '../../base/errors/api-error';
import { Settings } from '../../base/settings/settings';
import { ApiExceptionFilter } from './api-exception.filter';

const settings = { trustProxy: false, basePath: '/base' } as Settings;

@Module({
  providers: [
    { provide: Settings, useValue: settings },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class PagesModule {}

let errors: jest.SpyInstance;
let warnings: jest.SpyInstance;
beforeEach(() => {
  errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

it.each([
  ['throws', '/throws'],
  ['rejects', '/rejects'],
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

/** What a client gets whose request ends with this error; before it, a part of a response may have been written. */
async function responseTo(error: unknown, written?: string): Promise<LightMyRequestResponse> {
  const fastify = Fastify({ genReqId: () => 'r1' }).get('/', (request, reply) => {
    if (written) reply.raw.write(written);
    new ApiExceptionFilter(settings).catch(error, new ExecutionContextHost([request, reply]));
    if (written) reply.raw.end();
  });
  return fastify.inject('/');
}

describe('an error', () => {
  it('that is unexpected is logged with the id of its request, also where it is no Error', async () => {
    const thrown = new Error('secret');
    for (const error of [thrown, { secret: 1 }]) expect((await responseTo(error)).statusCode).toBe(500);
    const lines = [thrown, '{ secret: 1 }'].map((err) => [{ msg: 'Unexpected error', requestId: 'r1', err }]);
    expect(errors.mock.calls).toEqual(lines);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('of a database that is not available is a warning that says why, without a trace', async () => {
    expect((await responseTo(new MongooseError('before initial connection'))).statusCode).toBe(503);
    const reason = 'MongooseError: before initial connection';
    expect(warnings.mock.calls).toEqual([[{ msg: 'Database unavailable', requestId: 'r1', reason }]]);
    expect(errors).not.toHaveBeenCalled();
  });

  it('of the client is not logged, and its Location begins with the base path', async () => {
    const { statusCode, headers } = await responseTo(
      apiError('concurrentChange', undefined, { location: '/things/1' }),
    );
    expect([statusCode, headers.location]).toEqual([409, '/base/things/1']);
    for (const level of [errors, warnings]) expect(level).not.toHaveBeenCalled();
  });

  it('that comes after the response has begun changes nothing of it, and is logged', async () => {
    const { statusCode, body, headers } = await responseTo(new Error('late'), 'page');
    expect([statusCode, body]).toEqual([200, 'page']);
    expect(headers).not.toHaveProperty('content-type');
    expect(errors).toHaveBeenCalledTimes(1);
  });
});
