import {
  Body,
  CanActivate,
  Controller,
  Delete,
  ExecutionContext,
  Get,
  Module,
  Param,
  Post,
  Put,
  Res,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressInfo } from 'node:net';
import { Settings } from '../../src/config/settings';
import { UnreadBody } from '../../src/http/body/unread-body';
import { ApiExceptionFilter } from '../../src/errors/api-exception.filter';
import { apiError } from '../../src/errors/api-error';
import { createAdapter } from '../../src/http/edge/fastify-options';
import { installWire } from '../../src/http/edge/install-wire';
import { NoStore } from '../../src/http/edge/no-store.decorator';

/** Errors that `GET /failures/:name` throws. */
export const thrown: Record<string, unknown> = {};

/** Headers that it sets before that. */
export const headersBefore: Record<string, string> = {};

/** Stands in for the account guard: any `Authorization` will do. */
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
  async create(@Body() body: UnreadBody): Promise<object> {
    return { status: 'success', data: await sizeOf(body) };
  }

  @Put(':id')
  async replace(@Body() body: UnreadBody): Promise<object> {
    return { status: 'success', data: await sizeOf(body) };
  }

  @Delete(':id')
  remove(): object {
    return { status: 'success' };
  }

  @Get(':id/parts/:partId')
  part(@Param('id') id: string, @Param('partId') partId: string): object {
    return { id, partId };
  }
}

@Controller('slow')
class SlowController {
  @Get()
  async one(): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { slow: true };
  }
}

@NoStore()
@Controller('secrets')
class SecretsController {
  @Post()
  create(): object {
    return { status: 'success', data: {} };
  }

  @Get(':id')
  one(): object {
    return {};
  }
}

@Controller('failures')
class FailuresController {
  @Get(':name')
  one(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): never {
    reply.headers(headersBefore);
    throw thrown[name];
  }
}

/** Reads the body as the Content pipe does: never destroying the stream. */
function sizeOf(body: UnreadBody): Promise<{ size: number; contentType: string | null }> {
  return new Promise((resolve, reject) => {
    let size = 0;
    body.stream.on('data', (chunk: Buffer) => (size += chunk.length));
    body.stream.on('end', () => resolve({ size, contentType: body.headers['content-type'] ?? null }));
    body.stream.on('error', reject);
  });
}

@Module({
  controllers: [ThingsController, SlowController, SecretsController, FailuresController],
  providers: [
    { provide: APP_GUARD, useClass: HeaderGuard },
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
})
class WireModule {}

/** A small application behind the real wire, on a free loopback port. */
export async function startWireApp(settings: Partial<Settings> = {}): Promise<{
  app: NestFastifyApplication;
  port: number;
}> {
  const all = { bodyLimit: 65536, corsOrigins: [], trustProxy: false, ...settings } as unknown as Settings;
  const app = await NestFactory.create<NestFastifyApplication>(WireModule, createAdapter(all), {
    bodyParser: false,
    logger: ['error', 'warn'],
  });
  installWire(app, all);
  await app.listen(0, '127.0.0.1');
  return { app, port: (app.getHttpServer().address() as AddressInfo).port };
}
