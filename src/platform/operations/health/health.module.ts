import { Module } from '@nestjs/common';
import { GracefulShutdown } from './graceful-shutdown';
import { HealthController } from './health.controller';
import { ManagementServer } from './management-server';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** Liveness, readiness, metrics and graceful shutdown. */
@Module({
  controllers: [HealthController],
  providers: [Readiness, Metrics, ManagementServer, GracefulShutdown],
})
export class HealthModule {}
