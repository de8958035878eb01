import { Injectable } from '@nestjs/common';
import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Settings } from '../config/settings';
import { refundPoints, Limiters, NetworkLimit, takePoint, takePoints } from './limiters';

const HOUR = 3600;

/** The limits on requests per minute (contract §1.1) and on registrations per hour (§4). A limit of 0 is off. */
@Injectable()
export class RateLimits {
  private readonly requests: RateLimiterAbstract;
  private readonly registrations: NetworkLimit;

  constructor(
    private readonly settings: Settings,
    limiters: Limiters,
  ) {
    const { rateLimitPerMinute, registrationsPerHour } = settings;
    this.requests = limiters.create('request', { points: rateLimitPerMinute });
    this.registrations = limiters.createPerNetwork('registration', { points: registrationsPerHour, duration: HOUR });
  }

  /** Counts a request of a client address or an account. @throws ApiError tooManyRequests over the limit */
  async countRequest(client: string): Promise<void> {
    if (this.settings.rateLimitPerMinute > 0) await takePoint([this.requests, client]);
  }

  /** Counts a registration from `request.ip`. @throws ApiError tooManyRequests over the limit */
  async countRegistration(ip: string | undefined): Promise<void> {
    if (this.settings.registrationsPerHour === 0) return;
    await takePoints(this.registrations(ip), 'Too many registrations. Try again later.');
  }

  /** Takes back the count of a registration that failed. */
  async refundRegistration(ip: string | undefined): Promise<void> {
    if (this.settings.registrationsPerHour > 0) await refundPoints(this.registrations(ip));
  }
}
