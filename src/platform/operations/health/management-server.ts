import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { fastify } from 'fastify';
import { Settings } from '../../base/settings/settings';
import { listenError } from '../../base/errors/start-error';
import { Metrics } from './metrics';

/** Serves `GET /metrics` on a port of its own in production: usage metrics must not be visible to API callers. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
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
    if (this.settings.nodeEnv !== 'production') return;
    this.server.get('/metrics', (_request, reply) => this.metrics.send(reply));
    const { managementHost: host, managementPort: port } = this.settings;
    await this.server.listen({ host, port }).catch((error: unknown) => {
      throw listenError(error, { host, port, setting: 'MANAGEMENT_PORT' });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
