import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import { Settings } from '../config/settings';

/** How far the process may be driven before requests are turned away. */
export interface OverloadBounds {
  /** The mean delay of the event loop within a second (ms). */
  readonly maxEventLoopDelay: number;
  /** Bytes in use of V8's heap. */
  readonly maxHeapUsedBytes: number;
}

/** How often an overload is logged at most (ms). */
const LOG_INTERVAL_MS = 60_000;

/**
 * Knows whether the process is overloaded. A second of mean delay means that answers come too late to be of use. How busy
 * the event loop is does not count: a full loop that keeps up is what a busy service looks like.
 * Off in tests, where loading modules stops the loop for longer than that.
 */
@Injectable()
export class Overload implements OnModuleInit {
  private readonly log = new Logger('Overload');
  private logged = -Infinity;
  private fastify: FastifyInstance | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.settings.environment === 'test') return;
    const maxHeapUsedBytes = Math.floor(getHeapStatistics().heap_size_limit * 0.95);
    await this.watch({ maxEventLoopDelay: 1000, maxHeapUsedBytes });
  }

  /** Begins to watch the process. */
  async watch(bounds: OverloadBounds): Promise<void> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // The plugin would answer by itself, before the path and method are looked at: it only measures, the guard answers.
    await fastify.register(underPressure, { ...bounds, pressureHandler: () => undefined });
    this.fastify = fastify;
  }

  /** Whether requests should be turned away now. */
  get present(): boolean {
    if (!this.fastify?.isUnderPressure()) return false;
    this.report(this.fastify);
    return true;
  }

  private report(fastify: FastifyInstance): void {
    if (Date.now() - this.logged < LOG_INTERVAL_MS) return;
    this.logged = Date.now();
    this.log.warn(`Overloaded, requests are turned away: ${JSON.stringify(fastify.memoryUsage())}`);
  }
}
