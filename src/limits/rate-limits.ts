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
   * Counts a registration by its address, and not if `work` fails. The limit comes first: beyond it, nobody learns which
   * usernames and e-mail addresses are taken.
   *
   * @param ip `request.ip`
   * @returns what `work` returned
   * @throws ApiError tooManyRequests over the limit; what `work` throws
   */
  async registration<T>(ip: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.settings.registrationsPerHour === 0) return work();
    const counted = this.registrations.countedFor(ip);
    await takePoints(counted, 'Too many registrations. Try again later.');
    return work().catch(async (error: unknown) => {
      await giveBackPoints(counted);
      throw error;
    });
  }
}
