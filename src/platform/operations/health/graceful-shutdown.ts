import { BeforeApplicationShutdown, Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { Settings } from '../../base/settings/settings';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How long running requests may still take (ms); a write has at most as long. */
export const GRACE_MS = 10_000;

/**
 * Stops the service without losing a request (contract §9.1). First it is not ready and still accepts requests, until
 * load balancers have noticed. Then Fastify stops accepting, closes idle connections and waits for running requests. What
 * is open after that, such as a connection whose client does not read, is closed.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('Shutdown');
  private stopping = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.stopping) reply.header('connection', 'close');
      done();
    });
    fastify.addHook('preClose', (done) => {
      const closing = setTimeout(() => fastify.server.closeAllConnections(), GRACE_MS);
      fastify.server.once('close', () => clearTimeout(closing));
      closing.unref();
      done();
    });
  }

  /** Runs once the service is not ready, and before it stops accepting. A second signal ends the wait. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const { shutdownDelayMs } = this.settings;
    if (shutdownDelayMs === 0 || !this.host.httpAdapter.getInstance<FastifyInstance>().server.listening) return;
    this.log.log(`Stopping: not ready, and accepting requests for another ${shutdownDelayMs} ms`);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const timer = setTimeout(end, shutdownDelayMs);
    for (const signal of SIGNALS) process.on(signal, end);
    await over;
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
