import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register as processMetrics, Registry } from 'prom-client';
import { Database } from '../../records/database';
import { Settings } from '../../base/settings/settings';
import { onRequestEnd, RequestEnd } from '../../http/edge/request-end';

/** Upper bounds of the histogram's buckets (s), from reading one record to a request time-out. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of the service in Prometheus text format. */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly registry = new Registry();

  private readonly duration = new Histogram({
    name: 'roster_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern (without BASE_PATH) and status (499: the client disconnected).',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  private readonly errors = new Counter({
    name: 'roster_http_error_responses_total',
    help: 'Error responses by error code (docs/errors.md), without those to requests that cannot be parsed.',
    labelNames: ['code'],
    registers: [this.registry],
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
    { driver }: Database,
  ) {
    new Gauge({
      name: 'roster_database_pool',
      help: 'Connections to the database, in use or idle, and operations that wait for one.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        this.set({ state: 'in_use' }, driver.inUse);
        this.set({ state: 'idle' }, driver.open - driver.inUse);
        this.set({ state: 'waiting' }, driver.waiting);
      },
    });
  }

  onModuleInit(): void {
    // Once per process, also for several applications: the observers run until the process ends.
    if (!processMetrics.getSingleMetric('process_cpu_seconds_total')) collectProcessMetrics();
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { nodeEnv, basePath } = this.settings;
    // In production, ManagementServer serves them.
    if (nodeEnv !== 'production') fastify.get(`${basePath}/metrics`, (_request, reply) => this.send(reply));
    onRequestEnd(fastify, (end) => this.observe(end));
  }

  async send(reply: FastifyReply): Promise<void> {
    const text = `${await processMetrics.metrics()}\n${await this.registry.metrics()}`;
    await reply.type(this.registry.contentType).send(text);
  }

  /** Labeled by route pattern, never by path: callers could send any number of different ones. */
  private observe({ request, status, code, milliseconds }: RequestEnd): void {
    const { url } = request.routeOptions;
    const { basePath } = this.settings;
    const route = url === undefined ? 'none' : (url.startsWith(basePath) ? url.slice(basePath.length) : url) || '/';
    this.duration.observe({ method: request.method, route, status }, milliseconds / 1000);
    if (code !== undefined) this.errors.inc({ code });
  }
}

/**
 * By functions of Node.js that are not public: one of them has aborted the process. `nodejs_active_resources` remains,
 * without its sum: a gauge whose name ends in `_total` is an error for promtool.
 */
const LEFT_OUT = [
  ...['handles', 'requests'].flatMap((what) => [`nodejs_active_${what}`, `nodejs_active_${what}_total`]),
  'nodejs_active_resources_total',
];

function collectProcessMetrics(): void {
  collectDefaultMetrics();
  for (const name of LEFT_OUT) processMetrics.removeSingleMetric(name);
}
