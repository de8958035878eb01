import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators';
import { Settings } from '../config/settings';
import { version } from '../config/version';
import { apiError } from '../errors/api-error';
import { Readiness } from './readiness';

/** Links, liveness and readiness; not part of the contract, no login needed. */
@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly settings: Settings,
    private readonly readiness: Readiness,
  ) {}

  /** For a person who opens the service in a browser. */
  @Get()
  links(): Record<string, string> {
    const { basePath, docs } = this.settings;
    return {
      name: 'Roster',
      version,
      ...(docs && { docs: `${basePath}/docs`, openapi: `${basePath}/openapi.json` }),
      live: `${basePath}/health/live`,
      ready: `${basePath}/health/ready`,
    };
  }

  /** Checks nothing else: a supervisor must not restart the process because the database is down. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** @throws ApiError databaseUnavailable that names the conditions that do not hold */
  @Get('health/ready')
  async ready(): Promise<{ status: 'ok' }> {
    const unmet = await this.readiness.unmet();
    if (unmet.length === 0) return { status: 'ok' };
    throw apiError('databaseUnavailable', `Not ready: ${unmet.join(', ')}.`);
  }
}
