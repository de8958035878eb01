import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { onRequestEnd, RequestEnd } from '../http/request-end';

/** Bounds of the histogram's buckets in seconds, from a read of one record to the time-out of a request. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What concerns the process and not one application in it: made once, since its observers last as long as the process.
 */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) });
  return ofProcess;
}

/** The metrics of the service in the text format of Prometheus. */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly registry = new Registry();
  private inFlight = 0;

  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern and status (499: the client went away).',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(private readonly host: HttpAdapterHost) {
    const current = (): number => this.inFlight;
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'HTTP requests that are being answered.',
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

  /** Labelled by the route's pattern, never by the path: callers could make up any number of those. */
  private observe({ request, status, milliseconds }: RequestEnd): void {
    this.inFlight -= 1;
    const route = request.routeOptions.url ?? 'none';
    this.duration.observe({ method: request.method, route, status }, milliseconds / 1000);
  }
}
