import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance, FastifyRequest } from 'fastify';
import type { Level } from 'pino';
import type { AuthorizedRequest } from '../auth/request-access';
import { onRequestEnd, RequestEnd } from '../http/request-end';
import { PinoLoggers } from './pino-loggers';
import { traceIdOf } from './trace-id';

/** Longer paths are cut (characters): a path can be as long as the header section. */
const PATH_LENGTH = 500;

/**
 * Writes one line per request (docs/operating.md). No headers and no query string, which can hold secrets and personal
 * data. `LOG_LEVEL=warn` keeps only responses with status 5xx.
 */
@Injectable()
export class RequestLog implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly loggers: PinoLoggers,
  ) {}

  onModuleInit(): void {
    onRequestEnd(this.host.httpAdapter.getInstance<FastifyInstance>(), (end) => this.write(end));
  }

  private write({ request, status, code, address, milliseconds }: RequestEnd): void {
    const path = pathOf(request);
    const account = (request as AuthorizedRequest).access?.account;
    this.loggers.requests[levelOf(status, path)]({
      method: request.method,
      path,
      status,
      code,
      ms: Math.round(milliseconds * 10) / 10,
      address,
      requestId: request.id,
      traceId: traceIdOf(request.headers.traceparent),
      accountId: account && String(account._id),
    });
  }
}

/** The path of a request without its query string, cut. */
export function pathOf({ url }: FastifyRequest): string {
  return url.slice(0, PATH_LENGTH).split('?', 1)[0]!;
}

/** Load balancers request health, and Prometheus metrics, every few seconds. */
function levelOf(status: number, path: string): Level {
  if (/\/(health\/(live|ready)|metrics)$/.test(path)) return 'debug';
  return status >= 500 ? 'warn' : 'info';
}
