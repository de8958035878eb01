import { Body, CanActivate, Controller, Delete, ExecutionContext, Get, Module, Param, Post, Put } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { AddressInfo, Socket } from 'node:net';
import { Settings } from '../../src/config/settings';
import { apiError } from '../../src/errors/api-error';
import { ApiExceptionFilter } from '../../src/errors/api-exception.filter';
import { readBody, readBytes } from '../../src/http/body/read-body';
import { UnreadBody } from '../../src/http/body/unread-body';
import { RecordAdapter } from '../../src/http/edge/adapter';
import { addRequestHooks } from '../../src/http/edge/request-hooks';

/** What `GET /error` throws. */
export const thrown: { error?: unknown } = {};

/** Stands in for the guards: any `Authorization` is accepted. */
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.headers.authorization === undefined) throw apiError('noCredentials');
    return true;
  }
}

@Controller('things')
class ThingsController {
  @Get()
  list(): object {
    return { status: 'success', data: [] };
  }

  @Get(':id')
  one(@Param('id') id: string): object {
    return { _id: id };
  }

  @Post()
  async create(@Body() { headers, stream, limit }: UnreadBody): Promise<object> {
    const { length } = await readBytes(stream, limit);
    return { status: 'success', data: { size: length, contentType: headers['content-type'] ?? null } };
  }

  @Put(':id')
  async replace(@Body() body: UnreadBody): Promise<object> {
    return { status: 'success', data: await readBody(body) };
  }

  @Delete(':id')
  remove(): object {
    return { status: 'success' };
  }

  @Get(':id/parts/:partId')
  part(): object {
    return {};
  }
}

@Controller()
class OtherController {
  @Get('never')
  never(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Get('error')
  error(): never {
    throw thrown.error;
  }

  @Post('secrets')
  @RouteConfig({ noStore: true })
  createSecret(): object {
    return { status: 'success', data: {} };
  }

  @Get('secrets/:id')
  secret(): object {
    return {};
  }
}

@Module({
  controllers: [ThingsController, OtherController],
  providers: [
    { provide: APP_GUARD, useClass: HeaderGuard },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class TestModule {}

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly port: number;
  /** The server's side of each connection, in order. */
  readonly sockets: Socket[];
}

/** Starts a small application with the service's HTTP edge on a free loopback port. */
export async function startTestApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const defaults = { bodyLimit: 65536, corsOrigins: [], trustProxy: false };
  const all = { ...defaults, ...settings } as unknown as Settings;
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, new RecordAdapter(all), {
    bodyParser: false,
    logger: ['error', 'warn'],
  });
  addRequestHooks(app.getHttpAdapter().getInstance(), all);
  const sockets: Socket[] = [];
  app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
  await app.listen(0, '127.0.0.1');
  return { app, port: (app.getHttpServer().address() as AddressInfo).port, sockets };
}

/** Such an application while the tests of a file or a `describe` run. */
export function useTestApp(settings?: Partial<Settings>): TestApp {
  const server = {} as TestApp;
  beforeAll(async () => void Object.assign(server, await startTestApp(settings)));
  afterAll(() => server.app.close());
  return server;
}
