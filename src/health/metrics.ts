import { Controller, Get, Injectable, OnModuleInit, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, register as processMetrics, Registry } from 'prom-client';
import { Public } from '../auth/access.decorators';
import { DatabaseStart } from '../database/database-start';
import { onRequestEnd, RequestEnd } from '../http/request-end';

/** Upper bounds of the histogram's buckets (s), from reading one record to a request time-out. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of the service in Prometheus text format. */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly registry = new Registry();

  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern and status (499: the client disconnected).',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  private readonly inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'HTTP requests in progress.',
    registers: [this.registry],
  });

  private readonly missingIndexes: Gauge = new Gauge({
    name: 'database_indexes_missing',
    help: 'Indexes that are not built yet or cannot be built, without the unique ones.',
    registers: [this.registry],
    collect: (): void => this.missingIndexes.set(this.database.missingIndexes),
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly database: DatabaseStart,
  ) {}

  onModuleInit(): void {
    // Once per process, also for several applications: the observers run until the process ends.
    if (!processMetrics.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
    const start = (): void => this.inFlight.inc();
    onRequestEnd(this.host.httpAdapter.getInstance<FastifyInstance>(), (end) => this.observe(end), start);
  }

  /** Responds with all metrics. */
  async send(reply: FastifyReply): Promise<void> {
    const text = `${await processMetrics.metrics()}\n${await this.registry.metrics()}`;
    await reply.type(this.registry.contentType).send(text);
  }

  /** Labeled by route pattern, never by path: callers could send any number of different ones. */
  private observe({ request, status, milliseconds }: RequestEnd): void {
    this.inFlight.dec();
    const route = request.routeOptions.url ?? 'none';
    this.duration.observe({ method: request.method, route, status }, milliseconds / 1000);
  }
}

/** `GET /metrics` on the API's port, outside production. */
@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  read(@Res() reply: FastifyReply): Promise<void> {
    return this.metrics.send(reply);
  }
}
