import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { caseFold } from '../validation/case-fold';
import { clientAddress } from './client-address';
import { Counter } from './counter';
import { Counters } from './counters';
import { FailureLimit } from './failure-limit';
import { tooManyRequests } from './too-many-requests';

/**
 * How many times the login limit one address may fail over all account names, and one account name over all addresses.
 * The first is wide enough for an office behind one address. The second slows down guessing from many addresses to some
 * 144,000 a day, and is wide enough that locking somebody out takes more than a few machines.
 */
export const LOGIN_WIDENING = 10;

/** The limits on requests and on failed logins (contract §1.1, §4), per minute; each that is set to 0 is off. */
@Injectable()
export class RateLimits {
  private readonly requestsOfAddress: Counter;
  private readonly requestsOfAccount: Counter;
  private readonly loginsOfPair: FailureLimit;
  private readonly loginsOfAddress: FailureLimit;
  private readonly loginsOfAccount: FailureLimit;

  constructor(
    private readonly settings: Settings,
    counters: Counters,
  ) {
    const logins = settings.loginRateLimitPerMinute;
    this.requestsOfAddress = counters.make('address');
    this.requestsOfAccount = counters.make('account');
    this.loginsOfPair = new FailureLimit(counters.make('login'), logins);
    this.loginsOfAddress = new FailureLimit(counters.make('loginAddress'), logins * LOGIN_WIDENING);
    this.loginsOfAccount = new FailureLimit(counters.make('loginAccount'), logins * LOGIN_WIDENING);
  }

  /**
   * Counts a request of its address.
   * @throws Failure tooManyRequests over the limit
   */
  byAddress(request: Pick<FastifyRequest, 'ip'>): Promise<void> {
    return this.count(this.requestsOfAddress, clientAddress(request.ip));
  }

  /**
   * Counts a request of an account.
   * @throws Failure tooManyRequests over the limit
   */
  byAccount(accountId: string): Promise<void> {
    return this.count(this.requestsOfAccount, accountId);
  }

  /**
   * Runs one check of a password under the login limits. Only failures count; a success clears the count of this account
   * name and address, not the wider ones, which an attacker could otherwise clear with an account of their own.
   * @param login the username or e-mail as sent; counted without regard to case
   * @param ip `request.ip`
   * @param verify gives undefined for a wrong password; what it throws counts neither way
   * @returns what `verify` gave
   * @throws Failure tooManyRequests over a limit, without `verify` being asked: the right password does not help then
   */
  async loginAttempt<T>(
    login: string,
    ip: string | undefined,
    verify: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (this.settings.loginRateLimitPerMinute === 0) return verify();
    const address = clientAddress(ip);
    // The name is as long as the caller likes and somebody's personal data: the store gets its hash.
    const account = createHash('sha256').update(caseFold(login)).digest('base64url');
    const pair = `${account} ${address}`;
    return this.inside(this.loginsOfPair, pair, () =>
      this.inside(this.loginsOfAccount, account, () =>
        this.inside(this.loginsOfAddress, address, async () => {
          const verified = await verify();
          if (verified !== undefined) await this.loginsOfPair.clear(pair);
          return verified;
        }),
      ),
    );
  }

  private async inside<T>(limit: FailureLimit, key: string, attempt: () => Promise<T | undefined>) {
    await limit.enter(key);
    try {
      const result = await attempt();
      if (result === undefined) await limit.fail(key);
      return result;
    } finally {
      limit.leave(key);
    }
  }

  private async count(counter: Counter, key: string): Promise<void> {
    const limit = this.settings.rateLimitPerMinute;
    if (limit === 0) return;
    const { count, msLeft } = await counter.add(key);
    if (count > limit) throw tooManyRequests(msLeft);
  }
}
