import { Logger } from '@nestjs/common';
import { mongo } from 'mongoose';
import { apiError } from '../../../src/platform/base/errors/api-error';
import { useService } from '../../support/service';

describe('the exception filter', () => {
  const service = useService();
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();

  beforeEach(() => jest.clearAllMocks());

  async function responseTo(error: unknown, method: 'GET' | 'HEAD' = 'GET') {
    service.afterGuards.next(() => {
      throw error;
    });
    const authorization = `Bearer ${service.admin.token}`;
    const response = await service.app.inject({ method, url: '/organizations', headers: { authorization } });
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
        'cache-control': 'private, no-cache, no-transform',
      },
    });
    expect(logged).not.toHaveBeenCalled();
    expect(warned).not.toHaveBeenCalled();
  });

  test('the error of a HEAD has no body', async () => {
    expect(await responseTo(apiError('forbidden'), 'HEAD')).toMatchObject({ status: 403, text: '' });
  });

  // All errors of a database: src/platform/http/responses/to-api-error.spec.ts.
  test('a network error is 503 1901, reveals nothing and logs a warning', async () => {
    const error = new mongo.MongoNetworkError('connection to 10.0.0.1 closed');
    const response = await responseTo(error);
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(JSON.parse(response.text)).toMatchObject({ code: 1901 });
    expect(response.text).not.toContain(error.message);
    expect([warned.mock.calls.length, logged.mock.calls.length]).toEqual([1, 0]);
  });

  test('an unexpected error is 500 1900 with a fixed message, and is logged once, with the request id', async () => {
    const response = await responseTo('secret');
    expect(response.text).toBe('{"status":"fail","message":"An unexpected error occurred.","code":1900}');
    expect(response.status).toBe(500);
    const requestId = response.headers['x-request-id'];
    expect(logged.mock.calls).toEqual([[{ msg: 'Unexpected error', requestId, err: "'secret'" }]]);
  });
});
