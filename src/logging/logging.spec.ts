import { Controller, Get, Logger as NestLogger } from '@nestjs/common';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { settingsWith } from '../../test/support/settings';
import { apiError } from '../errors/api-error';
import { ApiExceptionFilter } from '../errors/api-exception.filter';
import { reportEnd } from '../http/request-end';
import { AppLogger } from './app-logger';
import { LoggingModule } from './logging.module';
import { PinoLoggers } from './pino-loggers';

class Lines {
  text = '';

  write(line: string): void {
    this.text += line;
  }

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
    application.info({ req: { headers: { authorization: 'Bearer t0k', cookie: 'c00k', 'set-cookie': 'c00k' } } });
    expect(lines.text).not.toMatch(/p4ss|t0k|c00k/);
    expect(lines.all[0]).toMatchObject({ password: '[redacted]', user: { refreshToken: '[redacted]', name: 'mara' } });
  });

  it('writes the message and trace of an error, not its other properties', () => {
    const error = Object.assign(new Error('duplicate'), { code: 11000, document: { hash: 'p4ss' } });
    application.error({ err: new Error('outer', { cause: error }) });
    expect(lines.text).not.toContain('p4ss');
    expect(lines.all[0]).toMatchObject({ err: { message: 'outer', cause: { message: 'duplicate', code: 11000 } } });
    expect(lines.text).toContain('logging.spec');
  });

  it('leaves out lines less severe than LOG_LEVEL', () => {
    const quiet = new PinoLoggers(settingsWith({ LOG_LEVEL: 'warn' }), lines).application;
    for (const level of ['info', 'warn'] as const) quiet[level](level);
    expect(lines.all).toEqual([expect.objectContaining({ msg: 'warn' })]);
  });
});

@Controller()
class ThingsController {
  @Get(['things/:id', 'health/live']) read(): string {
    return 'thing';
  }

  @Get('broken') broken(): never {
    throw apiError('databaseUnavailable');
  }
}

describe('the log of requests', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [LoggingModule.forRoot(settingsWith(), lines)],
      controllers: [ThingsController],
    }).compile();
    const adapter = new FastifyAdapter({ genReqId: () => 'id-1' });
    adapter.getInstance().addHook('onRequest', reportEnd(adapter.getInstance()));
    app = module.createNestApplication<NestFastifyApplication>(adapter, { bufferLogs: true });
    app.useLogger(app.get(AppLogger));
    app.useGlobalFilters(new ApiExceptionFilter());
    adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
      if (request.headers.authorization)
        Object.assign(request, { access: { account: { _id: 'account-1', apiKeyId: 'key-1' } } });
      done();
    });
    await app.init();
  });
  afterAll(() => app.close());

  it('has one line per request: method, path, status, duration, address, request id, account, API key', async () => {
    const headers = { authorization: 'Bearer t0k' };
    await app.inject({ method: 'GET', url: '/things/1?q=mara%40example.org', headers });
    const request = { method: 'GET', path: '/things/1', status: 200, address: '127.0.0.1' };
    const ids = { requestId: 'id-1', accountId: 'account-1', apiKeyId: 'key-1' };
    const [time, ms] = [expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), expect.any(Number)];
    const always = { level: 'info', time, pid: process.pid, hostname: expect.any(String), ms };
    expect(lines.all).toEqual([{ ...always, ...request, ...ids }]);
    expect(lines.text).not.toMatch(/t0k|mara/);
  });

  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '0af7651916cd43dd8448eb211c80319c'],
    ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-later', '0af7651916cd43dd8448eb211c80319c'],
    ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-mara', undefined],
    ['00-mara@example.org-b7ad6b7169203331-01', undefined],
  ])('has the trace id of a valid traceparent: %s', async (traceparent, traceId) => {
    await app.inject({ method: 'GET', url: '/things/1', headers: { traceparent } });
    expect(lines.all.map((line) => line.traceId)).toEqual([traceId]);
    expect(lines.text).not.toContain('mara');
  });

  it('cuts a long path, warns of responses with status 5xx, and leaves out health', async () => {
    for (const url of [`/${'x'.repeat(5000)}`, '/broken', '/health/live']) await app.inject({ method: 'GET', url });
    expect(lines.all).toMatchObject([
      { level: 'info', status: 404, path: `/${'x'.repeat(499)}` },
      { level: 'warn', status: 503, code: 1901 },
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
