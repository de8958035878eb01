import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance, FastifyReply } from 'fastify';
import type { Level } from 'pino';
import type { AuthorizedRequest } from '../auth/request-access';
import { withoutApiKeys } from '../auth/api-key';
import { ActorContext, actorContext, logSecurity } from '../auth/security-events';
import { onRequestEnd, RequestEnd } from '../http/request-end';
import { PinoLoggers } from './pino-loggers';

/** Longer paths are cut (characters): a path can be as long as the header section. */
const PATH_LENGTH = 500;

/** https://www.w3.org/TR/trace-context/#traceparent-header. Ids of zeros are not valid, nor is version ff. */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/**
 * Writes one line per request (docs/operating.md), and gives the lines of the security log their request. No headers
 * and no query string, which can hold secrets and personal data. `LOG_LEVEL=warn` keeps only responses with status 5xx.
 */
@Injectable()
export class RequestLog implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly loggers: PinoLoggers,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    onRequestEnd(fastify, (end) => this.write(end));
    fastify.addHook('onRequest', (request: AuthorizedRequest, reply, done) => {
      // `ip` is missing once the socket is closed.
      const context: ActorContext = {
        account: () => request.access?.account,
        address: request.ip,
        requestId: request.id,
      };
      reply.raw.once('close', () => actorContext.run(context, () => logRefusal(request, reply)));
      actorContext.run(context, done);
    });
  }

  private write({ request, status, code, address, milliseconds }: RequestEnd): void {
    const path = pathOf(request);
    const { traceparent } = request.headers;
    const account = (request as AuthorizedRequest).access?.account;
    this.loggers.requests[levelOf(status, path)]({
      method: request.method,
      path,
      status,
      code,
      ms: Math.round(milliseconds * 10) / 10,
      address,
      requestId: request.id,
      traceId: typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined,
      accountId: account && String(account._id),
      apiKeyId: account?.apiKeyId && String(account.apiKeyId),
    });
  }
}

/** Operations without an access token write their own lines (failed logins). */
function logRefusal(request: AuthorizedRequest, { raw: { statusCode: status } }: FastifyReply): void {
  if (status !== 403 && (status !== 401 || request.access?.ignoresToken)) return;
  logSecurity('accessRefused', { method: request.method, path: pathOf(request), status });
}

function pathOf({ url }: AuthorizedRequest): string {
  return withoutApiKeys(url.split('?', 1)[0]!).slice(0, PATH_LENGTH);
}

/** Load balancers request health, and Prometheus metrics, every few seconds. */
function levelOf(status: number, path: string): Level {
  if (/\/(health\/(live|ready)|metrics)$/.test(path)) return 'debug';
  return status >= 500 ? 'warn' : 'info';
}
