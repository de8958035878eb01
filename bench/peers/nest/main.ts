/** Nest on Fastify with Mongoose, Passport and class-validator, as Nest's documentation shows them. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { HEADERS, logRequest, settings } from '../shared/service.mjs';
import { AppModule } from './app.module';
import type { AuthenticatedRequest } from './auth.module';

async function main(): Promise<void> {
  const adapter = new FastifyAdapter({ genReqId: () => randomUUID(), requestIdHeader: false });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: ['error', 'warn'] });
  const fastify = adapter.getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, (request as AuthenticatedRequest).user);
    done();
  });
  app.enableShutdownHooks(['SIGTERM']);
  await app.listen(settings.port, settings.host);
}

void main();
