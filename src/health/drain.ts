import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';
import { Readiness } from './readiness';

/** How often connections are looked through for idle ones (ms). */
const INTERVAL_MS = 50;

/**
 * Empties the server when it stops. Readiness goes first; then no connection is accepted any more, the idle ones are
 * closed as soon as they are, and whatever is left at the end of `SHUTDOWN_GRACE_MS` is cut. Without that a client that
 * keeps its connection, or never ends its body, would keep the process.
 */
@Injectable()
export class Drain implements OnModuleInit, OnModuleDestroy {
  private readonly log = new Logger('Shutdown');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preClose', (done) => {
      this.begin(fastify.server);
      done();
    });
  }

  /** The first step of Nest's shutdown, before anything is closed. */
  onModuleDestroy(): void {
    this.readiness.set('shutdown', 'the service was told to stop');
  }

  /** Only sets the timers: Fastify closes the server next and waits for the last connection. */
  private begin(server: FastifyInstance['server']): void {
    if (!server.listening) return;
    const sweep = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
    const cut = setTimeout(() => {
      this.log.warn(`Connections were cut: they outlasted the ${this.settings.shutdownGraceMs} ms of grace`);
      server.closeAllConnections();
    }, this.settings.shutdownGraceMs);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  }
}
