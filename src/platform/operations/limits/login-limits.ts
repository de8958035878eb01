import { Injectable } from '@nestjs/common';
import { RateLimiterAbstract } from 'rate-limiter-flexible';
import { Settings } from '../../base/settings/settings';
import { clientAddress } from './client-address';
import { Counted, refundPoints, Limiters, NetworkLimit, takePoint, takePoints, tooManyRequests } from './limiters';
import { WorkQueue } from '../../base/work-queue';

/** The limits per address and per account are this many times that per pair: an office can share an address. */
const ACCOUNT_LIMIT_FACTOR = 10;

/** Successful logins of an account per minute: each costs a hash and a session. */
const MAX_SUCCESSES = 60;

/** Someone who presents a password. */
export interface LoginAttempt {
  /** The same for its username and its e-mail address. */
  readonly account: string;
  /** `request.ip` */
  readonly ip: string | undefined;
  /** Is set if the account has logged in from this address lately. */
  readonly isKnown: boolean;
}

/** Compares a password. Undefined means that it is neither right nor wrong: then all counts stay as they were. */
type Compare = () => Promise<boolean | undefined>;

/** The limits on logins, per minute. `LOGIN_RATE_LIMIT_PER_MINUTE=0` turns all of them off. */
@Injectable()
export class LoginLimits {
  private readonly pairs: RateLimiterAbstract;
  private readonly accounts: RateLimiterAbstract;
  private readonly addresses: NetworkLimit;
  private readonly successes: RateLimiterAbstract;
  private readonly turns = new WorkQueue({ running: Infinity, runningPerKey: 1, waiting: Infinity });

  constructor(
    private readonly settings: Settings,
    limiters: Limiters,
  ) {
    const { loginRateLimitPerMinute: points } = settings;
    this.pairs = limiters.create('login', { points });
    this.accounts = limiters.create('loginAccount', { points: points * ACCOUNT_LIMIT_FACTOR });
    this.addresses = limiters.createPerNetwork('loginAddress', { points: points * ACCOUNT_LIMIT_FACTOR });
    this.successes = limiters.create('loginSuccess', { points: MAX_SUCCESSES });
  }

  /**
   * Compares a password under the limits. An attempt counts as failed until it has succeeded or ended with an error: so
   * guesses at the same time, on any number of instances, get no further than others. The attempts of a pair run one
   * after another, so any number of right passwords at the same time succeed. A success clears the count of the pair,
   * but only its own point of the others: an attacker could clear those by logging in to an account of their own.
   * @throws ApiError tooManyRequests over a limit, even for the right password: `compare` is not called then
   */
  async attempt(attempt: LoginAttempt, compare: Compare): Promise<boolean | undefined> {
    if (this.settings.loginRateLimitPerMinute === 0) return compare();
    const pair = `${attempt.account} ${clientAddress(attempt.ip)}`;
    return this.turns.run(pair, () => this.count(attempt, pair, compare));
  }

  private async count({ account, ip, isKnown }: LoginAttempt, key: string, compare: Compare) {
    // Before the comparison, because that is what costs.
    const counted = await this.successes.get(account);
    if (counted && counted.consumedPoints >= MAX_SUCCESSES) throw tooManyRequests(counted.msBeforeNext);
    const pair: Counted = [this.pairs, key];
    const others: Counted[] = isKnown ? [] : [...this.addresses(ip), [this.accounts, account]];
    await takePoints([pair, ...others], 'Too many failed logins. Try again later.');
    let isRight: boolean | undefined;
    try {
      isRight = await compare();
    } finally {
      if (isRight === undefined) await refundPoints([pair, ...others]);
    }
    if (!isRight) return isRight;
    await refundPoints(others);
    await this.pairs.delete(key);
    await takePoint([this.successes, account]);
    return isRight;
  }
}
