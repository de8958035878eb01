import { DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Settings } from '../config/settings';
import { Drain } from './drain';
import { HealthController } from './health.controller';
import { ManagementServer } from './management-server';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';
import { RootController } from './root.controller';

/**
 * Liveness, readiness, metrics, and the end of the service. Global, since any module may have a condition of readiness.
 */
@Module({})
export class HealthModule {
  /** @param settings `NODE_ENV` decides where the metrics are served */
  static forRoot(settings: Settings): DynamicModule {
    const beside = settings.environment === 'production' ? [] : [MetricsController];
    return {
      module: HealthModule,
      global: true,
      // Readiness logs what changed; terminus would log every answer.
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [RootController, HealthController, ...beside],
      providers: [Readiness, Metrics, ManagementServer, Drain],
      exports: [Readiness],
    };
  }
}
