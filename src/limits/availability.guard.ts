import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isPublic } from '../auth/access.decorators';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { Overload } from './overload';

/** When clients should try again (s): maintenance takes minutes, an overload seconds. */
const RETRY_AFTER = { maintenance: '120', overloaded: '10' };

/** Rejects every operation during maintenance (503, 1902) and overload (503, 1903); contract §1.1. */
@Injectable()
export class AvailabilityGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly overload: Overload,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.settings.maintenance && !this.overload.present) return true;
    if (isPublic(context)) return true;
    const reason = this.settings.maintenance ? 'maintenance' : 'overloaded';
    throw apiError(reason, undefined, { 'Retry-After': RETRY_AFTER[reason] });
  }
}
