import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { onRequestEnd, RequestEnd } from '../http/request-end';

/** Upper bounds of the histogram's buckets (s), from reading one record to a request time-out. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let processMetrics: Registry | undefined;

/** The metrics of the process. Created once, also for several applications: their observers run until the process ends. */
function processRegistry(): Registry {
  if (!processMetrics) collectDefaultMetrics({ register: (processMetrics = new Registry()) });
  return processMetrics;
}

/** The metrics of the service in Prometheus text format. */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly registry = new Registry();
  private inFlight = 0;

  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern and status (499: the client disconnected).',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(private readonly host: HttpAdapterHost) {
    const current = (): number => this.inFlight;
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'HTTP requests in progress.',
      registers: [this.registry],
      collect() {
        this.set(current());
      },
    });
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    onRequestEnd(
      fastify,
      (end) => this.observe(end),
      () => (this.inFlight += 1),
    );
  }

  /** The media type of `text()`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics as text. */
  async text(): Promise<string> {
    return `${await processRegistry().metrics()}\n${await this.registry.metrics()}`;
  }

  /** Labeled by route pattern, never by path: callers could send any number of different ones. */
  private observe({ request, status, milliseconds }: RequestEnd): void {
    this.inFlight -= 1;
    const route = request.routeOptions.url ?? 'none';
    this.duration.observe({ method: request.method, route, status }, milliseconds / 1000);
  }
}
