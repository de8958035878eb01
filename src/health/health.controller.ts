import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { Public } from '../auth/access.decorators';
import { apiError } from '../errors/api-error';
import { Readiness } from './readiness';

/** How long a condition may take to answer (ms): shorter than the time-outs of those who ask. */
const PROBE_TIMEOUT_MS = 1000;

/** When to ask again (s). */
const RETRY_AFTER = '5';

/** Whether the process lives, and whether requests should come here; outside the contract, without login. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly readiness: Readiness,
  ) {}

  /** Answers while the process can: who restarts it is not to do so because the database is down. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** @throws Failure databaseUnavailable that names the conditions that do not hold */
  @Get('ready')
  async ready(): Promise<{ status: 'ok' }> {
    const unmet = await this.unmet();
    if (unmet.length === 0) return { status: 'ok' };
    throw apiError('databaseUnavailable', `Not ready: ${unmet.join(', ')}.`, { 'Retry-After': RETRY_AFTER });
  }

  private async unmet(): Promise<readonly string[]> {
    // While it is known that something is amiss, nothing is asked: a stopping service may have no connection left.
    if (this.readiness.unmet.length > 0) return this.readiness.unmet;
    const attempts = [...this.readiness.probes].map(([name, probe]) =>
      this.indicators.check(name).attempt(probe).withTimeout(PROBE_TIMEOUT_MS),
    );
    try {
      await this.health.check(attempts);
      return [];
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const { error: down } = error.getResponse() as { error?: object };
      return Object.keys(down ?? { shutdown: true });
    }
  }
}
