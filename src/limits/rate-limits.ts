import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings';
import { caseFold } from '../validation/case-fold';
import { clientAddress } from './client-address';
import { FailureLimit } from './failure-limit';
import { Limiters } from './limiters';
import { tooManyRequests } from './too-many-requests';

/**
 * How many times the login limit one address may fail for all account names together, and one account name from all
 * addresses. The first leaves room for an office that shares an address. The second bounds guessing from many addresses
 * to 144,000 passwords per day, while locking somebody out still takes several machines.
 */
export const LOGIN_WIDENING = 10;

/** The limits on requests and failed logins (contract §1.1, §4), per minute. A limit of 0 is off. */
@Injectable()
export class RateLimits {
  private readonly addresses: RateLimiterAbstract;
  private readonly accounts: RateLimiterAbstract;
  private readonly loginsOfPair: FailureLimit;
  private readonly loginsOfAddress: FailureLimit;
  private readonly loginsOfAccount: FailureLimit;

  constructor(
    private readonly settings: Settings,
    limiters: Limiters,
  ) {
    const { rateLimitPerMinute: requests, loginRateLimitPerMinute: logins } = settings;
    const failureLimit = (name: string, limit: number): FailureLimit =>
      new FailureLimit(limiters.create(name, limit), limit);
    this.addresses = limiters.create('address', requests);
    this.accounts = limiters.create('account', requests);
    this.loginsOfPair = failureLimit('login', logins);
    this.loginsOfAddress = failureLimit('loginAddress', logins * LOGIN_WIDENING);
    this.loginsOfAccount = failureLimit('loginAccount', logins * LOGIN_WIDENING);
  }

  /**
   * Counts a request by its address.
   * @throws ApiError tooManyRequests over the limit
   */
  byAddress(request: Pick<FastifyRequest, 'ip'>): Promise<void> {
    return this.consume(this.addresses, clientAddress(request.ip));
  }

  /**
   * Counts a request by its account.
   * @throws ApiError tooManyRequests over the limit
   */
  byAccount(accountId: string): Promise<void> {
    return this.consume(this.accounts, accountId);
  }

  /**
   * Checks a password under the login limits. Only failures count. A success clears the count of this account name and
   * address, but not the wider ones: an attacker could clear those by logging in to an account of their own.
   * @param login the username or e-mail address as sent; counted without regard to case
   * @param ip `request.ip`
   * @param verify returns undefined for a wrong password; an error counts neither way
   * @returns what `verify` returned
   * @throws ApiError tooManyRequests over a limit. `verify` is not called then: even the right password is rejected.
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
    try {
      await limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooManyRequests(error.msBeforeNext) : error;
    }
  }
}
