import { timeLimits } from '../driver/connection-options';
import { isDatabaseUnavailable, unavailable } from '../driver/database-errors';
import { LostRace } from './lost-race';
import { Turns } from './turns';

/** Losses after which a write gives up with 1510 (contract §1.8). */
const MAX_ATTEMPTS = 5;

/**
 * A write of the record that it is about is tried for at least this long (ms). Instances share no queue: there it has to
 * come through against an account that adds references to the record at another instance all the time, which tries less.
 */
const PATIENCE_MS = 1000;

/** How long a write that has lost no race may hold up others (ms). After that, they race with it. */
const FIRST_TURN_MS = 500;

/** After loss n, from the second on, a write waits for up to 2^n times this long (ms), at random. */
const BACKOFF_MS = 4;
const MAX_BACKOFF_EXPONENT = 5;
const MAX_OWN_BACKOFF_EXPONENT = 2;

/** All attempts of one write: what they share, and how many more there may be. */
export class WriteRun {
  /** Results of `beforeTransaction`. */
  readonly results = new Map<string, unknown>();
  /** Takes back what `beforeTransaction` did. */
  readonly undos: (() => Promise<void>)[] = [];
  losses = 0;
  private lastLoss: LostRace | undefined;
  private firstLossAt: number | undefined;
  private readonly expiry = Promise.withResolvers<never>();
  private timer: NodeJS.Timeout | undefined;
  private turnTimer: NodeJS.Timeout | undefined;
  /** Is set after the deadline. */
  isExpired = false;
  /** Is set once it was not given a turn: then it does not run again. */
  isRefused = false;
  /** Is set once, when it has lost nothing, and only waited for a turn before its first command. */
  hasOnlyWaited = false;
  private hasWaited = false;
  /** The record whose turn this write has, or waits for. */
  private turn: { readonly record: string; end?: () => void } | undefined;

  /** @param account whose writes share its part of the turns */
  constructor(
    private readonly turns = new Turns(),
    private readonly account = '',
    /** The revision at which a record of the path was authorized; undefined for other records. */
    readonly authorized?: (id: string) => number | undefined,
  ) {
    this.expiry.promise.catch(() => undefined);
  }

  /** Is true after a lost race: then unique values are looked up before they are written. */
  get isRepeated(): boolean {
    return this.losses > 0;
  }

  /** Counts from the first command on. */
  startDeadline(): void {
    this.timer ??= setTimeout(() => {
      this.isExpired = true;
      const isWaiting = this.turn && !this.turn.end;
      this.expiry.reject(isWaiting ? this.giveUp() : unavailable(this.lastLoss?.cause));
    }, timeLimits.write).unref();
  }

  /** Waits for the turn of a record. A write has one turn at a time. @throws LostRace after waiting for too long */
  async takeTurn(record: string | undefined): Promise<void> {
    clearTimeout(this.turnTimer);
    if (this.turn?.record === record) return;
    this.endTurn();
    if (record === undefined) return;
    const turn: typeof this.turn = (this.turn = { record });
    const begins = this.turns.take(record, this.account);
    try {
      turn.end = await this.beforeDeadline(begins);
    } catch (error) {
      this.isRefused = true;
      begins.then((end) => end()).catch(() => undefined);
      throw error;
    }
  }

  endTurn(): void {
    this.turn?.end?.();
    this.turn = undefined;
  }

  /**
   * Waits for the turn of a record that others write too, unless this write has another turn.
   * @param hasBegun whether the transaction has: what it has read would be old after a wait
   * @throws LostRace when another write had the turn: the handler runs again, because what it has checked may be old;
   *   what `takeTurn` throws
   */
  async requireTurn(record: string, hasBegun: boolean): Promise<void> {
    if (this.turn?.record === record) return;
    const isTaken = this.turns.isTaken(record);
    if (this.turn || hasBegun) {
      // Later on it races: between two records that are always taken it would go back and forth.
      if (isTaken && this.losses === 0) throw new LostRace(undefined, record);
      return;
    }
    await this.takeTurn(record);
    const { turn } = this;
    this.turnTimer = setTimeout(() => turn === this.turn && this.endTurn(), FIRST_TURN_MS).unref();
    if (!isTaken) return;
    this.hasOnlyWaited = !this.hasWaited;
    this.hasWaited = true;
    throw new LostRace(undefined, record);
  }

  end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.turnTimer);
    this.endTurn();
  }

  /**
   * Waits for work until the deadline.
   * @throws MongoOperationTimeoutError after it, LostRace if the write only waits for others; the work continues, and its
   *   result is ignored
   */
  beforeDeadline<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.expiry.promise]);
  }

  /**
   * Counts a lost race (contract §1.8): five are too many.
   * @param isOwn whether it lost the record that it is about
   * @returns how long to wait before the next attempt (ms)
   * @throws ApiError concurrentChange when there may be no further attempt; MongoOperationTimeoutError when the
   *   database was out of reach
   */
  countLoss(lost: LostRace, isOwn = false): number {
    this.losses += 1;
    this.lastLoss = lost;
    this.firstLossAt ??= performance.now();
    const isPatient = isOwn && performance.now() - this.firstLossAt < PATIENCE_MS;
    if (this.losses >= MAX_ATTEMPTS && !isPatient) throw this.giveUp();
    const exponent = Math.min(this.losses, isOwn ? MAX_OWN_BACKOFF_EXPONENT : MAX_BACKOFF_EXPONENT);
    return this.losses === 1 ? 0 : Math.random() * BACKOFF_MS * 2 ** exponent;
  }

  private giveUp(): Error {
    const cause = this.lastLoss?.cause;
    return isDatabaseUnavailable(cause) ? unavailable(cause) : new LostRace(cause);
  }
}
