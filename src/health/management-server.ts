import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { fastify } from 'fastify';
import { Settings } from '../config/settings';
import { listenError } from '../config/start-error';
import { apiError } from '../errors/api-error';
import { sendError } from '../errors/error-body';
import { toApiError } from '../errors/to-api-error';
import { Metrics } from './metrics';

/** Serves `GET /metrics` on a port of its own in production: usage metrics must not be visible to API callers. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Management');
  private readonly server = fastify({ forceCloseConnections: true });

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  /** Where the metrics are, once it listens. */
  get url(): string {
    return `${this.server.listeningOrigin}/metrics`;
  }

  /** @throws StartError when it cannot listen there */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.environment !== 'production') return;
    this.server.get('/metrics', (_request, reply) => this.metrics.send(reply));
    this.server.setNotFoundHandler((_request, reply) => sendError(reply, apiError('pathNotFound')));
    this.server.setErrorHandler((error, _request, reply) => {
      this.log.error(error);
      sendError(reply, toApiError(error));
    });
    const { managementHost: host, managementPort: port } = this.settings;
    await this.server.listen({ host, port }).catch((error: unknown) => {
      throw listenError(error, { host, port, setting: 'MANAGEMENT_PORT' });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
