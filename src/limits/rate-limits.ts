import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings';
import { caseFold } from '../validation/case-fold';
import { AttemptLimit, tooManyRequests } from './attempt-limit';
import { clientAddress } from './client-address';
import { Limiters } from './limiters';

/**
 * The limits per address and per account name are this many times the limit per pair. An office can then share an
 * address, locking somebody out takes several machines, and those can guess at most 144,000 passwords per day.
 */
export const LOGIN_WIDENING = 10;

/** The limits on requests and failed logins (contract §1.1, §4), per minute. A limit of 0 is off. */
@Injectable()
export class RateLimits {
  private readonly addresses: RateLimiterAbstract;
  private readonly accounts: RateLimiterAbstract;
  private readonly loginsOfPair: AttemptLimit;
  private readonly loginsOfAddress: AttemptLimit;
  private readonly loginsOfAccount: AttemptLimit;

  constructor(
    private readonly settings: Settings,
    limiters: Limiters,
  ) {
    const { rateLimitPerMinute: requests, loginRateLimitPerMinute: logins } = settings;
    const loginLimit = (name: string, limit: number) => new AttemptLimit(limiters.create(name, limit), limit);
    this.addresses = limiters.create('address', requests);
    this.accounts = limiters.create('account', requests);
    this.loginsOfPair = loginLimit('login', logins);
    this.loginsOfAddress = loginLimit('loginAddress', logins * LOGIN_WIDENING);
    this.loginsOfAccount = loginLimit('loginAccount', logins * LOGIN_WIDENING);
  }

  /** Counts a request by its address, `request.ip`; rejects with tooManyRequests over the limit. */
  byAddress(ip: string | undefined): Promise<void> {
    return this.consume(this.addresses, clientAddress(ip));
  }

  /** Counts a request by its account; rejects with tooManyRequests over the limit. */
  byAccount(accountId: string): Promise<void> {
    return this.consume(this.accounts, accountId);
  }

  /**
   * Checks a password under the login limits. Only failed logins count. A success clears the count of this account name
   * and address, but not the wider ones: an attacker could clear those by logging in to an account of their own.
   * @param login the username or e-mail address as sent; counted without regard to case
   * @param ip `request.ip`
   * @param verify returns undefined for a wrong password; an error is not counted
   * @throws ApiError tooManyRequests over a limit, even for the right password: `verify` is not called then
   */
  async loginAttempt<T>(
    login: string,
    ip: string | undefined,
    verify: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (this.settings.loginRateLimitPerMinute === 0) return verify();
    const address = clientAddress(ip);
    // The name can be of any length and is personal data, so the store gets only its hash.
    const account = createHash('sha256').update(caseFold(login)).digest('base64url');
    const pair = `${account} ${address}`;
    return this.loginsOfPair.attempt(pair, () =>
      this.loginsOfAccount.attempt(account, () =>
        this.loginsOfAddress.attempt(address, async () => {
          const verified = await verify();
          if (verified !== undefined) await this.loginsOfPair.clear(pair);
          return verified;
        }),
      ),
    );
  }

  private async consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
    if (this.settings.rateLimitPerMinute === 0) return;
    await limiter.consume(key).catch((error: unknown) => {
      throw error instanceof RateLimiterRes ? tooManyRequests(error.msBeforeNext) : error;
    });
  }
}
