import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import { AccessTokens } from '../auth/access-tokens';
import type { Account } from '../auth/account';
import { Settings } from '../config/settings';
import { MAX_TRIES } from '../database/transactions';
import { apiError } from '../errors/api-error';
import type { Page } from '../http/page';
import type { PageQuery } from '../validation/query/page-query.dto';
import { RateLimits } from '../limits/rate-limits';
import { compareWithNothing, hashPassword, isOutdated, isPassword } from '../users/passwords';
import { User } from '../users/user.schema';
import { FoundUser, UsersService } from '../users/users.service';
import { RefreshTokens } from './refresh-tokens';
import { LoginInput, NewSession, SessionRecord } from './session.dto';
import { isLive, Session } from '../users/session.schema';

/** How many sessions a user has at most; the least recently refreshed leaves (contract §3 Session). */
const MAX_SESSIONS = 50;

/** What is stored of a client's name for itself (characters). */
const MAX_USER_AGENT = 255;

/** The logins of Users, kept in the User's record (ADR 7). They leave its `revision` and `updatedAt` as they are. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly usersService: UsersService,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly limits: RateLimits,
    private readonly settings: Settings,
  ) {}

  /**
   * Logs in. A wrong login takes as long whether the account exists or not (contract §4).
   *
   * @throws Failure wrongLogin, tooManyRequests
   */
  async create(body: LoginInput, ip: string, userAgent: string | undefined): Promise<NewSession> {
    const name = body.username ?? body.email ?? '';
    const made = await this.limits.loginAttempt(name, ip, () => this.logIn(body, userAgent));
    if (!made) throw apiError('wrongLogin');
    return made;
  }

  /** The caller's live sessions, ordered by `_id`. They are few and come with the user, so that the page is cut here. */
  async list(caller: Account, { skip, limit, after, exactCount }: PageQuery): Promise<Page<SessionRecord>> {
    const user = await this.users.findOne({ _id: caller._id }, { sessions: 1 }).lean();
    const live = (user?.sessions ?? []).filter(isLive).sort(byId);
    const behind = after === undefined ? live : live.filter(({ _id }) => _id.toHexString() > after);
    const records = behind.slice(skip, skip + limit);
    return { records, hasMore: behind.length > skip + limit, ...(exactCount && { total: live.length }) };
  }

  /**
   * Ends a session: its access tokens stop working at once.
   *
   * @throws Failure sessionNotFound when it has ended since the request was judged
   */
  async remove({ _id }: SessionRecord): Promise<void> {
    const ended = await this.users.updateOne({ 'sessions._id': _id }, { $pull: { sessions: { _id } } });
    if (ended.matchedCount === 0) throw apiError('sessionNotFound');
  }

  /** Compares again when the hash has changed since: another login may have hashed the same password anew. */
  private async logIn(body: LoginInput, userAgent: string | undefined): Promise<NewSession | undefined> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const user = await this.verify(body);
      if (!user) return undefined;
      const opened = await this.open(user, userAgent);
      if (opened) return opened;
    }
    return undefined;
  }

  private async verify({ username, email, password }: LoginInput): Promise<FoundUser | undefined> {
    const user = await this.usersService.find(username === undefined ? { email } : { username });
    const right = user ? await isPassword(password, user.passwordHash) : await compareWithNothing(password);
    if (!user || !right) return undefined;
    if (isOutdated(user.passwordHash)) await this.rehash(user, password);
    return user;
  }

  /** Adds the session; undefined when the password was changed since it was compared: that ends all sessions. */
  private async open(user: FoundUser, userAgent: string | undefined): Promise<NewSession | undefined> {
    const _id = new Types.ObjectId();
    const refreshToken = this.refreshTokens.first(user._id, _id);
    const now = new Date();
    const session: Session = {
      _id,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + this.settings.refreshTokenTtl * 1000),
      userAgent: userAgent ? userAgent.slice(0, MAX_USER_AGENT) : null,
      tokenHash: this.refreshTokens.hash(refreshToken),
      usedTokens: [],
    };
    const opened = await this.users.updateOne(
      { _id: user._id, passwordHash: user.passwordHash },
      { $push: { sessions: { $each: [session], $sort: { lastUsedAt: 1 }, $slice: -MAX_SESSIONS } } },
    );
    if (opened.matchedCount === 0) return undefined;
    return { session, tokens: { ...this.accessTokens.issue(user._id, session._id), refreshToken }, user };
  }

  /** Where another login was faster, `open` misses, and the password is compared again. */
  private async rehash(user: FoundUser, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.users.updateOne({ _id: user._id, passwordHash: user.passwordHash }, { $set: { passwordHash } });
    user.passwordHash = passwordHash;
  }
}

function byId(one: SessionRecord, other: SessionRecord): number {
  return one._id.toHexString() < other._id.toHexString() ? -1 : 1;
}
