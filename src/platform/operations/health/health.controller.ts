import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../http/access/decorators';
import { apiError } from '../../base/errors/api-error';
import { Readiness } from './readiness';

/** Liveness and readiness; not part of the contract, no login needed. */
@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Checks nothing else: a supervisor must not restart the process because the database is down. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** @throws ApiError databaseUnavailable that names the conditions that do not hold */
  @Get('ready')
  async ready(): Promise<{ status: 'ok' }> {
    const failed = await this.readiness.failedChecks();
    if (failed.length === 0) return { status: 'ok' };
    throw apiError('databaseUnavailable', `Not ready: ${failed.join(', ')}.`);
  }
}
