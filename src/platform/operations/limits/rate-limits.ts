import { Injectable } from '@nestjs/common';
import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Settings } from '../../base/settings/settings';
import { refundPoints, Limiters, NetworkLimit, takePoint, takePoints } from './limiters';

const HOUR = 3600;

/** The limits on requests per minute (contract §8.1) and on registrations per hour (§8.2). A limit of 0 is off. */
@Injectable()
export class RateLimits {
  private readonly requests: RateLimiterAbstract | undefined;
  private readonly registrations: NetworkLimit = () => [];

  constructor({ rateLimitPerMinute, registrationsPerHour: points }: Settings, limiters: Limiters) {
    if (rateLimitPerMinute > 0) this.requests = limiters.create('request', { points: rateLimitPerMinute });
    if (points > 0) this.registrations = limiters.createPerNetwork('registration', { points, duration: HOUR });
  }

  /** Counts a request of a client address or an account. @throws ApiError tooManyRequests over the limit */
  async countRequest(client: string): Promise<void> {
    if (this.requests) await takePoint([this.requests, client]);
  }

  /** Counts a registration from `request.ip`. @throws ApiError tooManyRequests over the limit */
  async countRegistration(ip: string | undefined): Promise<void> {
    await takePoints(this.registrations(ip), 'Too many registrations. Try again later.');
  }

  /** Takes back the count of a registration that failed. */
  async refundRegistration(ip: string | undefined): Promise<void> {
    await refundPoints(this.registrations(ip));
  }
}
