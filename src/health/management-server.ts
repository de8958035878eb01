import { once } from 'node:events';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { listenError } from '../config/start-error';
import { Settings } from '../config/settings';
import { errorBody, errorHeaders } from '../errors/error-body';
import { apiError } from '../errors/api-error';
import { Metrics } from './metrics';

/** Serves `GET /metrics` on its own loopback port in production: usage metrics must not be visible to API callers. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Management');
  private server: Server | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  /** The port it listens on; undefined while it does not. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  /** @throws StartError when it cannot listen there */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.environment !== 'production') return;
    const [host, port] = ['127.0.0.1', this.settings.managementPort] as const;
    const server = createServer((request, response) => void this.respond(request, response));
    server.listen(port, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw listenError(error, { host, port, setting: 'MANAGEMENT_PORT' });
    });
    this.server = server;
    this.log.log(`Metrics at http://127.0.0.1:${this.port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      sendError(response, 'pathNotFound');
      return;
    }
    try {
      const text = await this.metrics.text();
      response.setHeader('Content-Type', this.metrics.contentType).end(text);
    } catch (error) {
      this.log.error(error);
      sendError(response, 'unexpected');
    }
  }
}

function sendError(response: ServerResponse, name: 'pathNotFound' | 'unexpected'): void {
  const error = apiError(name);
  response.writeHead(error.status, errorHeaders(error)).end(errorBody(error));
}
