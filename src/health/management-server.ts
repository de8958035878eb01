import type { AddressInfo } from 'node:net';
import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { fastify } from 'fastify';
import { Settings } from '../config/settings';
import { listenError } from '../config/start-error';
import { apiError } from '../errors/api-error';
import { errorBody, errorHeaders } from '../errors/error-body';
import { toApiError } from '../errors/to-api-error';
import { Metrics } from './metrics';

/** Serves `GET /metrics` on its own loopback port in production: usage metrics must not be visible to API callers. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Management');
  private readonly server = fastify({ forceCloseConnections: true });

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  /** The port it listens on; undefined while it does not. */
  get port(): number | undefined {
    return (this.server.server.address() as AddressInfo | null)?.port;
  }

  /** @throws StartError when it cannot listen there */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.environment !== 'production') return;
    this.addRoutes();
    const [host, port] = ['127.0.0.1', this.settings.managementPort] as const;
    await this.server.listen({ host, port }).catch((error: unknown) => {
      throw listenError(error, { host, port, setting: 'MANAGEMENT_PORT' });
    });
    this.log.log(`Metrics at http://${host}:${this.port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }

  private addRoutes(): void {
    this.server.get('/metrics', (_request, reply) => this.metrics.send(reply));
    this.server.setNotFoundHandler(() => {
      throw apiError('pathNotFound');
    });
    this.server.setErrorHandler((error, _request, reply) => {
      const response = toApiError(error);
      if (response.status >= 500) this.log.error(error);
      return reply.code(response.status).headers(errorHeaders(response)).send(errorBody(response));
    });
  }
}
