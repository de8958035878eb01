import { DynamicModule, Module } from '@nestjs/common';
import { Settings } from '../config/settings';
import { GracefulShutdown } from './graceful-shutdown';
import { HealthController } from './health.controller';
import { ManagementServer } from './management-server';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RootController } from './root.controller';

/** Liveness, readiness, metrics and graceful shutdown. */
@Module({})
export class HealthModule {
  /** @param settings `NODE_ENV` decides where the metrics are served */
  static forRoot({ environment }: Settings): DynamicModule {
    return {
      module: HealthModule,
      controllers: [
        RootController,
        HealthController,
        // In production, only ManagementServer serves them.
        ...(environment === 'production' ? [] : [MetricsController]),
      ],
      providers: [Readiness, Metrics, ManagementServer, GracefulShutdown],
    };
  }
}
