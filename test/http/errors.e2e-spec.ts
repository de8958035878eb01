import { ForbiddenException, HttpException, Logger, ServiceUnavailableException } from '@nestjs/common';
import { errorCodes } from 'fastify';
import { inspect } from 'node:util';
import { mongo, MongooseError, Error as MongooseErrors } from 'mongoose';
import { apiError } from '../../src/errors/api-error';
import { fieldError, invalidContent } from '../../src/errors/field-error';
import { headersBefore, startTestApp, TestApp, thrown } from './test-app';

describe('the exception filter', () => {
  let server: TestApp;
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();

  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.app.close());
  beforeEach(() => jest.clearAllMocks());

  /** Makes the handler throw the value, and returns the response. */
  async function responseTo(error: unknown, method: 'GET' | 'HEAD' = 'GET') {
    thrown.it = error;
    const response = await server.app.inject({ method, url: '/errors/it', headers: { authorization: 'x' } });
    return { status: response.statusCode, headers: response.headers, text: response.body };
  }

  test('an error has the body of the contract and its own headers', async () => {
    const response = await responseTo(apiError('lastManager', 'Not this one.', { 'X-Mine': '1' }));
    expect(response).toMatchObject({
      status: 409,
      text: '{"status":"fail","message":"Not this one.","code":1506}',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-mine': '1',
        'cache-control': 'private, no-cache',
      },
    });
    expect(logged).not.toHaveBeenCalled();
    expect(warned).not.toHaveBeenCalled();
  });

  test('a 401 says how to log in, a 429 and a 503 when to try again', async () => {
    expect((await responseTo(apiError('tokenUnusable'))).headers['www-authenticate']).toBe('Bearer');
    expect((await responseTo(apiError('tooManyRequests'))).headers['retry-after']).toBe('60');
    expect((await responseTo(apiError('maintenance'))).headers['retry-after']).toBe('5');
    const own = apiError('tooManyRequests', undefined, { 'Retry-After': '7' });
    expect((await responseTo(own)).headers['retry-after']).toBe('7');
  });

  test('the error of a HEAD has no body', async () => {
    expect(await responseTo(apiError('forbidden'), 'HEAD')).toMatchObject({ status: 403, text: '' });
  });

  test('headers of the successful response are removed', async () => {
    const about = [
      'content-disposition',
      'content-encoding',
      'content-length',
      'etag',
      'last-modified',
      'link',
      'location',
    ];
    for (const name of [...about, 'x-kept']) headersBefore[name] = '7';
    headersBefore['cache-control'] = 'private, max-age=3600';
    const { headers, text } = await responseTo(apiError('forbidden'));
    for (const name in headersBefore) delete headersBefore[name];
    expect(headers).toMatchObject({ 'x-kept': '7', 'cache-control': 'private, no-cache' });
    expect(headers['content-length']).toBe(String(text.length));
    for (const name of about.filter((one) => one !== 'content-length')) expect(headers).not.toHaveProperty([name]);
  });

  test('no-store is kept', async () => {
    headersBefore['cache-control'] = 'no-store';
    const { headers } = await responseTo(apiError('forbidden'));
    delete headersBefore['cache-control'];
    expect(headers['cache-control']).toBe('no-store');
  });

  test('field errors are a list', async () => {
    const error = invalidContent(fieldError('missing', 'name'), fieldError('tooLong', 'url', 'is over 3'));
    const { status, text } = await responseTo(error);
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 400,
      body: {
        status: 'fail',
        code: 1024,
        message: [
          { code: 5001, title: 'name', detail: fieldError('missing', 'name').detail },
          { code: 5006, title: 'url', detail: 'is over 3' },
        ],
      },
    });
  });

  test.each<[string, Error]>([
    ['a network error', new mongo.MongoNetworkError('connection to 10.0.0.1 closed')],
    ['a network timeout', new mongo.MongoNetworkTimeoutError('timed out')],
    ['a pool without a free connection', Object.assign(new Error('no turn'), { name: 'MongoWaitQueueTimeoutError' })],
    ['no server', new mongo.MongoServerSelectionError('no primary', {} as never)],
    ['no server, by mongoose', new MongooseErrors.MongooseServerSelectionError('no primary')],
    ['a closed client', new mongo.MongoNotConnectedError('not connected')],
    ['a stepped down primary', new mongo.MongoServerError({ code: 10107, message: 'not primary' })],
    ['a query out of time', new mongo.MongoServerError({ code: 50, message: 'operation exceeded time limit' })],
    ['no connection yet', new MongooseError('Cannot call `users.find()` before initial connection is complete')],
  ])('%s is 503 1901, reveals nothing and logs a warning', async (_name, error) => {
    const response = await responseTo(error);
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(response.text)).toMatchObject({ code: 1901 });
    expect(response.text).not.toContain(error.message);
    expect(logged).not.toHaveBeenCalled();
    const requestId = response.headers['x-request-id'];
    const reason = `${error.name}: ${error.message}`;
    expect(warned.mock.calls).toEqual([[{ msg: 'Database unavailable', requestId, reason }]]);
  });

  test.each<[string, unknown, number, number]>([
    ['a ForbiddenException', new ForbiddenException('inner'), 403, 1200],
    ['a teapot', new HttpException('inner', 418), 400, 1006],
    ['a ServiceUnavailableException', new ServiceUnavailableException('inner'), 503, 1903],
    ['a body too large for Fastify', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 413, 1004],
    ['a media type unknown to Fastify', new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), 415, 1003],
  ])('%s becomes the error of its status', async (_name, error, status, code) => {
    const response = await responseTo(error);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.text)).toMatchObject({ status: 'fail', code });
    expect(response.text).not.toContain('inner');
    expect(logged).not.toHaveBeenCalled();
  });

  test.each<[string, unknown]>([
    ['an Error', new Error('secret')],
    ['a duplicate key that nobody caught', new mongo.MongoServerError({ code: 11000, message: 'E11000 secret' })],
    ['a string', 'secret'],
    ['null', null],
    ['an object with a status of its own', { statusCode: 404, message: 'secret' }],
    ['an HttpException of 500', new HttpException('secret', 500)],
  ])('%s is 500 1900 with a fixed message, and is logged once, with the request id', async (_name, error) => {
    const response = await responseTo(error);
    expect(response.text).toBe('{"status":"fail","message":"An unexpected error occurred.","code":1900}');
    expect(response.status).toBe(500);
    const err = error instanceof Error ? error : inspect(error);
    const requestId = response.headers['x-request-id'];
    expect(logged.mock.calls).toEqual([[{ msg: 'Unexpected error', requestId, err }]]);
  });
});
