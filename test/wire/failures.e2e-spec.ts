import { ForbiddenException, HttpException, Logger, ServiceUnavailableException } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes } from 'fastify';
import { inspect } from 'node:util';
import { mongo, MongooseError, Error as MongooseErrors } from 'mongoose';
import { apiError } from '../../src/errors/api-error';
import { fieldError, invalidContent } from '../../src/errors/field-error';
import { headersBefore, startWireApp, thrown } from './wire-app';

describe('the exception filter', () => {
  let app: NestFastifyApplication;
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();

  beforeAll(async () => {
    ({ app } = await startWireApp());
  });
  afterAll(() => app.close());
  beforeEach(() => jest.clearAllMocks());

  /** Lets the handler throw the value and gives the answer. */
  async function answerTo(error: unknown, method: 'GET' | 'HEAD' = 'GET') {
    thrown.it = error;
    const answer = await app.inject({ method, url: '/failures/it', headers: { authorization: 'x' } });
    return { status: answer.statusCode, headers: answer.headers, text: answer.body };
  }

  test('a failure is the envelope, in the order of the contract, with its headers', async () => {
    const answer = await answerTo(apiError('lastManager', 'Not this one.', { 'X-Mine': '1' }));
    expect(answer).toMatchObject({
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

  test('a 401 says how to log in, 429 and 503 when to come again', async () => {
    expect((await answerTo(apiError('tokenUnusable'))).headers['www-authenticate']).toBe('Bearer');
    expect((await answerTo(apiError('tooManyRequests'))).headers['retry-after']).toBe('60');
    expect((await answerTo(apiError('maintenance'))).headers['retry-after']).toBe('5');
    const own = apiError('tooManyRequests', undefined, { 'Retry-After': '7' });
    expect((await answerTo(own)).headers['retry-after']).toBe('7');
  });

  test('the failure of a HEAD has no body', async () => {
    expect(await answerTo(apiError('forbidden'), 'HEAD')).toMatchObject({ status: 403, text: '' });
  });

  test('what was said of the record is taken back', async () => {
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
    const { headers, text } = await answerTo(apiError('forbidden'));
    for (const name in headersBefore) delete headersBefore[name];
    expect(headers).toMatchObject({ 'x-kept': '7', 'cache-control': 'private, no-cache' });
    expect(headers['content-length']).toBe(String(text.length));
    for (const name of about.filter((one) => one !== 'content-length')) expect(headers).not.toHaveProperty([name]);
  });

  test('an answer that is not to be stored stays one', async () => {
    headersBefore['cache-control'] = 'no-store';
    const { headers } = await answerTo(apiError('forbidden'));
    delete headersBefore['cache-control'];
    expect(headers['cache-control']).toBe('no-store');
  });

  test('a very long message is cut', async () => {
    const { text } = await answerTo(apiError('lastManager', '\u{1f600}'.repeat(100_000)));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
  });

  describe('content that is not valid', () => {
    test('is an array of faults', async () => {
      const answer = await answerTo(
        invalidContent(fieldError('missing', 'name'), fieldError('tooLong', 'url', 'is over 3')),
      );
      expect(answer).toMatchObject({
        status: 400,
        text:
          '{"status":"fail","code":1024,"message":[{"code":5001,"title":"name","detail":"is required"},' +
          '{"code":5006,"title":"url","detail":"is over 3"}]}',
      });
    });

    test.each([
      [50, 50, 'is required'],
      [51, 50, 'is required; more faults left out: 1'],
      [62, 50, 'is required; more faults left out: 12'],
    ])('of %i faults shows %i, and the last says how many were left out', async (given, shown, detail) => {
      const faults = Array.from({ length: given }, (_, i) => fieldError('missing', `f${i}`));
      const { message } = JSON.parse((await answerTo(invalidContent(...faults))).text);
      expect(message).toHaveLength(shown);
      expect(message[shown - 1]).toEqual({ code: 5001, title: `f${shown - 1}`, detail });
    });

    test('has titles of at most 100 code points, never half of a pair', async () => {
      const titles = [
        'a'.repeat(100),
        'a'.repeat(101),
        '\u{1f600}'.repeat(101),
        'a'.repeat(99) + '\u{1f600}'.repeat(2),
      ];
      const { text } = await answerTo(invalidContent(...titles.map((title) => fieldError('unknownField', title))));
      expect(JSON.parse(text).message.map(({ title }: { title: string }) => title)).toEqual([
        'a'.repeat(100),
        'a'.repeat(100),
        '\u{1f600}'.repeat(100),
        'a'.repeat(99) + '\u{1f600}',
      ]);
    });

    test.each(['\u{1f600}', '\u0000', '\ud800', '"'])(
      'with the worst titles of %j stays within 16 KiB',
      async (one) => {
        const faults = Array.from({ length: 1000 }, () => fieldError('unknownField', one.repeat(200)));
        const { text } = await answerTo(invalidContent(...faults));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
        const { message } = JSON.parse(text);
        expect(message.at(-1).detail).toMatch(new RegExp(`: ${1000 - message.length}$`));
      },
    );
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
  ])('%s is 503 1901, says nothing of the inside and is a warning', async (_name, error) => {
    const answer = await answerTo(error);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(answer.text)).toMatchObject({ code: 1901 });
    expect(answer.text).not.toContain(error.message);
    expect(logged).not.toHaveBeenCalled();
    const requestId = answer.headers['x-request-id'];
    const reason = `${error.name}: ${error.message}`;
    expect(warned.mock.calls).toEqual([[{ msg: 'Database unavailable', requestId, reason }]]);
  });

  test.each<[string, unknown, number, number]>([
    ['a ForbiddenException', new ForbiddenException('inner'), 403, 1200],
    ['a teapot', new HttpException('inner', 418), 400, 1006],
    ['a ServiceUnavailableException', new ServiceUnavailableException('inner'), 503, 1903],
    ['a body too large for Fastify', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 413, 1004],
    ['a media type unknown to Fastify', new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), 415, 1003],
  ])('%s becomes the failure of its status', async (_name, error, status, code) => {
    const answer = await answerTo(error);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'fail', code });
    expect(answer.text).not.toContain('inner');
    expect(logged).not.toHaveBeenCalled();
  });

  test.each<[string, unknown]>([
    ['an Error', new Error('secret')],
    ['a duplicate key that nobody caught', new mongo.MongoServerError({ code: 11000, message: 'E11000 secret' })],
    ['a string', 'secret'],
    ['null', null],
    ['an object with a status of its own', { statusCode: 404, message: 'secret' }],
    ['an HttpException of 500', new HttpException('secret', 500)],
  ])('%s is 500 1900 with a fixed message; the log has it once, under the request id', async (_name, error) => {
    const answer = await answerTo(error);
    expect(answer.text).toBe('{"status":"fail","message":"The service met an unexpected condition.","code":1900}');
    expect(answer.status).toBe(500);
    const err = error instanceof Error ? error : inspect(error);
    const requestId = answer.headers['x-request-id'];
    expect(logged.mock.calls).toEqual([[{ msg: 'Unexpected condition', requestId, err }]]);
  });
});
