import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthorizedRequest } from '../auth/request-access';
import { logSecurity, Origin, origin } from '../auth/security-events';
import { pathOf } from './request-log';

/** Gives the lines of the security log their request, and writes the line of a request that was refused. */
@Injectable()
export class SecurityLog implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request: AuthorizedRequest, reply, done) => {
      const account = (): string | undefined => request.access?.account && String(request.access.account._id);
      // `ip` is missing once the socket is closed.
      const from: Origin = { actor: account, address: request.ip, requestId: request.id };
      reply.raw.once('close', () => origin.run(from, () => logRefusal(request, reply)));
      origin.run(from, done);
    });
  }
}

/** Operations without an access token write their own lines (failed logins). */
function logRefusal(request: AuthorizedRequest, { raw: { statusCode: status } }: FastifyReply): void {
  if (status !== 403 && (status !== 401 || request.access?.ignoresToken)) return;
  logSecurity('accessRefused', { method: request.method, path: pathOf(request), status });
}
