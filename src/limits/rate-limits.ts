import { Injectable } from '@nestjs/common';
import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Settings } from '../config/settings';
import { clientAddress } from './client-address';
import { Limiters, NetworkLimiter } from './limiters';
import { giveBackPoints, takePoint, takePoints } from './points';

const HOUR = 3600;

/** The limits on requests per minute (contract §1.1) and on registrations per hour (§4). A limit of 0 is off. */
@Injectable()
export class RateLimits {
  private readonly addresses: RateLimiterAbstract;
  private readonly accounts: RateLimiterAbstract;
  private readonly registrations: NetworkLimiter;

  constructor(
    private readonly settings: Settings,
    limiters: Limiters,
  ) {
    const { rateLimitPerMinute: points, registrationsPerHour } = settings;
    this.addresses = limiters.create('address', { points });
    this.accounts = limiters.create('account', { points });
    this.registrations = limiters.createPerNetwork('registration', { points: registrationsPerHour, duration: HOUR });
  }

  /** Counts a request by its address, `request.ip`; rejects with tooManyRequests over the limit. */
  async byAddress(ip: string | undefined): Promise<void> {
    if (this.settings.rateLimitPerMinute > 0) await takePoint([this.addresses, clientAddress(ip)]);
  }

  /** Counts a request by its account; rejects with tooManyRequests over the limit. */
  async byAccount(accountId: string): Promise<void> {
    if (this.settings.rateLimitPerMinute > 0) await takePoint([this.accounts, accountId]);
  }

  /**
   * Counts a registration by its address. The limit comes first: beyond it, the response does not tell which usernames and
   * e-mail addresses are taken.
   *
   * @param ip `request.ip`
   * @throws ApiError tooManyRequests over the limit
   */
  async countRegistration(ip: string | undefined): Promise<void> {
    if (this.settings.registrationsPerHour === 0) return;
    await takePoints(this.registrations.countedFor(ip), 'Too many registrations. Try again later.');
  }

  /** Takes back the count of a registration that failed. @param ip `request.ip` */
  async uncountRegistration(ip: string | undefined): Promise<void> {
    if (this.settings.registrationsPerHour > 0) await giveBackPoints(this.registrations.countedFor(ip));
  }
}
