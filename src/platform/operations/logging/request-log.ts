import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance, FastifyRequest } from 'fastify';
import type { Level } from 'pino';
import type { AuthorizedRequest } from '../../http/access/request-access';
import { logSecurity } from '../../http/access/security-events';
import { onRequestEnd, RequestEnd } from '../../http/edge/request-end';
import { withoutSecrets } from './without-secrets';
import { PinoLoggers } from './pino-loggers';

/** Longer paths are cut (characters): a path can be as long as the header section. */
const PATH_LENGTH = 500;

/** https://www.w3.org/TR/trace-context/#traceparent-header. Ids of zeros are not valid, nor is version ff. */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

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
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    onRequestEnd(fastify, (end) => this.write(end));
  }

  private write({ request, status, code, address, milliseconds }: RequestEnd): void {
    const { method, id: requestId } = request;
    const path = pathOf(request);
    const { traceparent } = request.headers;
    const { access } = request as AuthorizedRequest;
    const accountId = access?.account && String(access.account._id);
    this.loggers.requests[levelOf(status, path)]({
      method,
      path,
      status,
      code,
      ms: Math.round(milliseconds * 10) / 10,
      address,
      requestId,
      traceId: typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined,
      accountId,
      apiKeyId: access?.account?.apiKeyId && String(access.account.apiKeyId),
    });
    // Operations without an access token write their own lines (failed logins).
    if (status === 403 || (status === 401 && !access?.ignoresToken))
      logSecurity('accessRefused', { actor: accountId, address, requestId, method, path, status });
  }
}

function pathOf({ url }: FastifyRequest): string {
  return withoutSecrets(url.split('?', 1)[0]!).slice(0, PATH_LENGTH);
}

/** Load balancers request health, and Prometheus metrics, every few seconds. */
function levelOf(status: number, path: string): Level {
  if (/\/(health\/(live|ready)|metrics)$/.test(path)) return 'debug';
  return status >= 500 ? 'warn' : 'info';
}
