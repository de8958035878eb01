import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Logger as NestLogger } from '@nestjs/common';
import { apiError } from '../../../src/platform/base/errors/api-error';
import { PinoLoggers } from '../../../src/platform/operations/logging/pino-loggers';
import { RawClient, useRawService } from '../../support/raw-client';
import { withKey } from '../../registry/api-keys/keys';
import { passwordLink } from '../../registry/links/tokens';
import { Paper } from '../../support/paper';
import { NOTHING } from '../../support/records';
import { ADMIN } from '../../support/service';
import { settingsWith } from '../../support/settings';

class Lines extends Paper {
  get all(): Record<string, unknown>[] {
    return this.text.match(/.+/g)?.map((line) => JSON.parse(line) as Record<string, unknown>) ?? [];
  }
}

const lines = new Lines();
beforeEach(() => (lines.text = ''));

describe('the application logger', () => {
  const { application } = new PinoLoggers(settingsWith(), lines);

  it('redacts secrets in objects', () => {
    application.info({ password: 'p4ss', user: { refreshToken: 't0k', name: 'mara' } });
    application.info({ apiKey: { key: 'p4ss', hash: 'c00k' } });
    application.info({ link: { token: 't0k' } });
    application.info({ req: { headers: { authorization: 'Bearer t0k' } } });
    expect(lines.text).not.toMatch(/p4ss|t0k|c00k/);
    expect(lines.all[0]).toMatchObject({ password: '[redacted]', user: { refreshToken: '[redacted]', name: 'mara' } });
  });

  it('writes the message and trace of an error, not its other properties', () => {
    const error = Object.assign(new Error('duplicate'), { code: 11000, document: { hash: 'p4ss' } });
    application.error({ err: new Error('outer', { cause: error }) });
    expect(lines.text).not.toContain('p4ss');
    expect(lines.all[0]).toMatchObject({ err: { message: 'outer', cause: { message: 'duplicate', code: 11000 } } });
    expect(lines.text).toContain('log.e2e-spec');
  });
});

describe('the log of the service', () => {
  const server = useRawService({ TRUST_PROXY: '1' });
  const { service } = server;
  beforeAll(() => Object.assign(service.app.get(PinoLoggers), new PinoLoggers(settingsWith(), lines)));

  it('has one line per request: method, path, status, duration, address, request id, account', async () => {
    const { headers } = await service.admin.get('/users?q=mara%40example.org');
    const request = { method: 'GET', path: '/users', status: 200, address: '127.0.0.1' };
    const ids = { requestId: headers['x-request-id'], accountId: service.admin.id };
    const [time, ms] = [expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), expect.any(Number)];
    const always = { level: 'info', time, pid: process.pid, hostname: expect.any(String), ms };
    expect(lines.all).toEqual([{ ...always, ...request, ...ids }]);
    for (const secret of [service.admin.token, 'mara']) expect(lines.text).not.toContain(secret);
  });

  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '0af7651916cd43dd8448eb211c80319c'],
    ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later', '0af7651916cd43dd8448eb211c80319c'],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-mara', undefined],
    ['00-mara@example.org-b7ad6b7169203331-01', undefined],
  ])('has the trace id of a valid traceparent: %s', async (traceparent, traceId) => {
    await service.admin.get('/users', { traceparent });
    expect(lines.all.map((line) => line.traceId)).toEqual([traceId]);
    expect(lines.text).not.toContain('mara');
  });

  it('masks what has the shape of a secret in a path, also where some of it is percent-encoded', async () => {
    const { program } = await withKey(service.admin);
    const { body } = await service.nobody.post('/sessions', { username: ADMIN.username, password: ADMIN.password });
    const { accessToken, refreshToken } = body.data as Record<'accessToken' | 'refreshToken', string>;
    const encodings: ((secret: string) => string)[] = [
      (secret) => secret,
      (secret) => secret.replace(/[_.-]|(?<=^....)./, (one) => `%${one.charCodeAt(0).toString(16)}`),
      (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
      (secret) => encodeURIComponent(secret.replace(/./, (one) => `%${one.charCodeAt(0).toString(16)}`)),
      (secret) => `x%2F${secret}%2Fand`,
    ];
    const link = await passwordLink(service, service.admin);
    for (const secret of [program.token, accessToken, refreshToken, link])
      for (const encoded of encodings)
        for (const path of [`/tokens/${encoded(secret)}`, `/users/${encoded(secret)}/x`, `/${encoded(secret)}`]) {
          lines.text = '';
          await service.nobody.get(path);
          expect(lines.all.length).toBeGreaterThan(0);
          // Parts of it, too.
          const written = decodeURIComponent(decodeURIComponent(lines.text));
          for (const part of [secret.slice(10, 40), secret.slice(-30)]) expect(written).not.toContain(part);
          expect(lines.text).toContain('…');
        }
  });

  it('keeps a path without secrets as it was sent', async () => {
    const path = `/organizations/${NOTHING}%2f/caf%C3%A9%20${randomUUID()}`;
    await service.nobody.get(path);
    expect(lines.all[0]).toMatchObject({ path });
  });

  it('cuts a long path, warns of responses with status 5xx, and leaves out health', async () => {
    await service.nobody.get('/x'.repeat(2500));
    service.afterGuards.next(() => Promise.reject(apiError('databaseUnavailable')));
    for (const path of ['/users', '/health/live']) await service.admin.get(path);
    expect(lines.all).toMatchObject([
      { level: 'info', status: 404, path: '/x'.repeat(250) },
      { level: 'warn', status: 503, code: 1901 },
    ]);
  });

  it('has status 499, duration and address of a client that disconnects before the response', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const arrived = new Promise<void>((arrive) => {
      service.afterGuards.next(() => {
        arrive();
        return new Promise(() => undefined);
      });
    });
    const client = new RawClient(server.port).send(server.asAdmin('GET', '/users'));
    await arrived;
    now.mockReturnValue(1042);
    client.close();
    while (lines.text === '') await setImmediate();
    expect(lines.all).toMatchObject([{ path: '/users', status: 499, ms: 42, address: '127.0.0.1' }]);
    now.mockRestore();
  });

  it('names what X-Forwarded-For has in the place of an address once; with a port, it is an address', async () => {
    for (const forwarded of ['203.0.113.7:443', '[2001:db8::1]:443', 'unknown', '_hidden', 'unknown'])
      await service.admin.get('/users', { 'x-forwarded-for': forwarded });
    expect(lines.all.filter(({ ms }) => ms).map(({ address }) => address)).toEqual([
      ...['203.0.113.7', '2001:db8::1', 'unknown', '_hidden', 'unknown'],
    ]);
    expect(lines.all.filter(({ context }) => context === 'Limits')).toEqual([
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/^X-Forwarded-For has unknown, /) }),
    ]);
  });

  it("includes the lines of Nest's Logger, with their context", () => {
    const logger = new NestLogger('Start');
    logger.log('listening');
    logger.warn({ ms: 3 });
    logger.error('broken', 'at line 1');
    logger.error(new Error('thrown'));
    logger.fatal('over');
    expect(lines.all).toMatchObject([
      { level: 'info', context: 'Start', msg: 'listening' },
      { level: 'warn', context: 'Start', ms: 3 },
      { level: 'error', context: 'Start', msg: 'broken', stack: 'at line 1' },
      { level: 'error', err: { message: 'thrown' }, msg: 'thrown' },
      { level: 'fatal', msg: 'over' },
    ]);
  });

  it("leaves out Nest's lines about assembly, and those less severe than LOG_LEVEL", () => {
    new NestLogger('RouterExplorer').log('Mapped {/things, GET} route');
    new NestLogger('Start').debug('details');
    new NestLogger('Start').verbose('more details');
    expect(lines.all).toEqual([]);
    new NestLogger('NestFactory').error('not assembled');
    expect(lines.all).toEqual([expect.objectContaining({ level: 'error', msg: 'not assembled' })]);
  });
});
