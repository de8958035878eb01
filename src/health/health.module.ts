import { DynamicModule, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { DatabaseMetrics } from './database-metrics';
import { GracefulShutdown } from './graceful-shutdown';
import { HealthController } from './health.controller';
import { ManagementServer } from './management-server';
import { Metrics, MetricsController } from './metrics';
import { Readiness } from './readiness';

/** Liveness, readiness, metrics and graceful shutdown. */
@Module({ providers: [Readiness, DatabaseMetrics, Metrics, ManagementServer, GracefulShutdown] })
export class HealthModule {
  /** @param settings `NODE_ENV`: in production, only ManagementServer serves the metrics */
  static forRoot({ environment }: Settings): DynamicModule {
    const controllers = environment === 'production' ? [HealthController] : [HealthController, MetricsController];
    return { module: HealthModule, controllers };
  }
}
