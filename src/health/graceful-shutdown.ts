import type { Server } from 'node:http';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';

/** How often idle connections are closed during the shutdown (ms). */
const INTERVAL_MS = 50;

/**
 * Ends connections when the service stops: Fastify stops accepting new ones and waits for the rest. A client that keeps
 * its connection open, or never finishes its body, would otherwise keep the process running.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit {
  private readonly log = new Logger('Shutdown');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preClose', (done) => {
      this.closeConnections(fastify.server);
      done();
    });
  }

  /** Closes connections once they are idle, and the rest after `SHUTDOWN_GRACE_MS`. Only sets timers. */
  private closeConnections(server: Server): void {
    if (!server.listening) return;
    const idle = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
    const end = setTimeout(() => {
      this.log.warn(`Closing connections that are still open after ${this.settings.shutdownGraceMs} ms`);
      server.closeAllConnections();
    }, this.settings.shutdownGraceMs);
    server.once('close', () => {
      clearInterval(idle);
      clearTimeout(end);
    });
  }
}
