import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { BeforeApplicationShutdown, Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { Settings } from '../../base/settings/settings';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How often idle connections are closed during the shutdown (ms). */
const INTERVAL_MS = 50;

/** How long a connection may take to send its first byte during the shutdown (ms). Browsers open some in advance. */
const FIRST_BYTE_MS = 1000;

/**
 * Stops the service without losing a request (contract §9.1). First it is not ready and still accepts requests, until
 * load balancers have noticed; then Fastify stops accepting and waits for what is under way. Connections that clients
 * keep open, or on which they never finish a body, are closed in the end.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('Shutdown');
  private readonly connections = new Set<Socket>();
  private stopping = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.stopping) reply.header('connection', 'close');
      done();
    });
    fastify.addHook('preClose', (done) => {
      this.closeConnections(fastify.server);
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

  /** Closes connections once they are idle, and the rest after `SHUTDOWN_GRACE_MS`. Only sets timers. */
  private closeConnections(server: Server): void {
    if (!server.listening) return;
    const timers = [
      setInterval(() => server.closeIdleConnections(), INTERVAL_MS),
      setTimeout(() => this.closeSilentConnections(), FIRST_BYTE_MS),
      setTimeout(() => {
        this.log.warn(`Closing connections that are still open after ${this.settings.shutdownGraceMs} ms`);
        server.closeAllConnections();
      }, this.settings.shutdownGraceMs),
    ];
    server.once('close', () => timers.forEach((timer) => clearTimeout(timer)));
  }

  /** Node.js does not count them as idle. */
  private closeSilentConnections(): void {
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }
}
