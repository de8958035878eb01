import { Body, type CanActivate, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { connect } from 'node:net';
import { once } from 'node:events';
import { ContentPipe } from '../body.pipe';
import { apiError } from '../../errors/api-error';
import { ApiExceptionFilter } from '../../errors/api-exception.filter';
import { Flag } from '../fields/value-fields';
import { passBodiesUnread } from '../../http/edge/request-hooks';
import { PageParams } from './page-params.decorator';
import { SearchablePageQuery } from './page-query.dto';
import { QueryGuard } from './query.guard';

class Sample {
  @Flag()
  isPublic!: boolean;
}

/** Stands for the guards before the query's. */
@Injectable()
class DoorGuard implements CanActivate {
  static open = true;

  canActivate(): boolean {
    if (!DoorGuard.open) throw apiError('forbidden');
    return true;
  }
}

@Controller('samples')
class SampleController {
  @Get()
  list(@PageParams() query: SearchablePageQuery): object {
    return { made: query.constructor.name, ...query };
  }

  @Get('one')
  one(): object {
    return {};
  }

  @Post()
  create(@Body() body: Sample): object {
    return { made: body.constructor.name, ...body };
  }
}

@Module({
  controllers: [SampleController],
  providers: [
    { provide: APP_GUARD, useClass: DoorGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_PIPE, useClass: ContentPipe },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class SampleModule {}

let app: NestFastifyApplication;

beforeAll(async () => {
  const adapter = new FastifyAdapter({ exposeHeadRoutes: true });
  app = await NestFactory.create(SampleModule, adapter, { bodyParser: false, logger: false });
  passBodiesUnread(app.getHttpAdapter().getInstance(), 100);
  await app.init();
});

afterAll(() => app.close());

beforeEach(() => {
  DoorGuard.open = true;
});

const code = async (method: 'GET' | 'HEAD' | 'POST', url: string, payload?: string): Promise<unknown> => {
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await app.inject({ method, url, payload, headers });
  return answer.statusCode < 400 ? answer.statusCode : answer.json<{ code: number }>().code;
};

describe('a list', () => {
  it('gets the judged parameters', async () => {
    const answer = await app.inject({ url: '/samples?q=a&limit=2' });
    expect(answer.json()).toEqual({ made: 'SearchablePageQuery', q: 'a', limit: 2, skip: 0, exactCount: false });
  });

  it('takes a bare ?', async () => expect(await code('GET', '/samples?')).toBe(200));

  it('takes the same parameters on HEAD', async () => {
    expect(await code('HEAD', '/samples?limit=2')).toBe(200);
    expect((await app.inject({ method: 'HEAD', url: '/samples?limit=0' })).statusCode).toBe(400);
  });
});

describe('another operation', () => {
  it.each([
    ['GET', '/samples/one?limit=1'],
    ['GET', '/samples/one?x'],
    ['POST', '/samples?limit=1'],
    ['POST', '/samples?&'],
  ] as const)('takes no query string: %s %s', async (method, url) => expect(await code(method, url)).toBe(1002));
});

describe('the checks', () => {
  it('are rights, query, body, content', async () => {
    DoorGuard.open = false;
    expect(await code('POST', '/samples?x=1', '{')).toBe(1200);
    DoorGuard.open = true;
    expect(await code('POST', '/samples?x=1', '{')).toBe(1002);
    expect(await code('POST', '/samples', '{')).toBe(1001);
    expect(await code('POST', '/samples', '{}')).toBe(1024);
    expect(await code('POST', '/samples?', '{"isPublic":true}')).toBe(201);
  });
});

describe('a client that breaks off', () => {
  it('leaves the service serving', async () => {
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /samples HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await code('GET', '/samples/one')).toBe(200);
  });
});
