import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AccessTokens } from '../../platform/http/access/access-tokens';
import { hashOfToken } from '../../platform/http/access/api-key';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { logSecurity } from '../../platform/http/access/security-events';
import { context } from '../../platform/records/transactions/context';
import { Settings } from '../../platform/base/settings/settings';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import { Page, pageById } from '../../platform/records/reads/page';
import { KnownAddresses } from '../users/known-addresses';
import { PasswordCheck } from '../users/password-check';
import { isOutdated, Passwords } from '../users/passwords';
import { isLive, Session, UsedToken } from '../users/session.schema';
import { NamedUser, User, UserRecord } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import type { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { RefreshToken, RefreshTokens } from './refresh-tokens';
import { LoginInput, CreatedSession, SessionRecord, TokensDto } from './session.dto';

/** The most sessions of a User; the least recently refreshed one goes (contract §3 Session). */
const MAX_SESSIONS = 50;

/** The longest User-Agent that is stored (characters). */
const MAX_USER_AGENT = 255;

/** How long a session lives at most, however often it is refreshed (contract §3 Session). */
const MAX_LIFE_MS = 90 * 24 * 3600 * 1000;

/** How long a used refresh token still returns the same successor (contract §3 Session). */
const GRACE_MS = 10_000;

/** How many used tokens a session remembers: enough for a client that refreshes five times a second. */
const MAX_USED = 50;

/** `/sessions` and `/tokens` (contract §4). Sessions are embedded in their User and never change its `revision`. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly usersService: UsersService,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly passwordCheck: PasswordCheck,
    private readonly passwords: Passwords,
    private readonly knownAddresses: KnownAddresses,
    private readonly settings: Settings,
  ) {}

  @Loads('sessions/:id', { description: 'The Session', notFound: 'sessionNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const [user] = await this.users.find<User>({ 'sessions._id': id }, { only: ['sessions.$'] });
    const record = user?.sessions[0];
    return user && record && isLive(record) ? { record, ownership: { ownerId: user._id } } : undefined;
  }

  /** Logs in, with the same work for unknown accounts. */
  async create(body: LoginInput, userAgent: string | undefined): Promise<CreatedSession> {
    const session =
      (await this.open(await this.verify(body), userAgent)) ??
      // Another login has renewed the hash meanwhile, the password has changed, or the User was suspended.
      (await this.open(await this.verify(body), userAgent));
    if (!session) throw apiError('wrongLogin');
    logSecurity('login', { actor: String(session.user._id), sessionId: String(session._id) });
    return session;
  }

  /** The caller's live sessions, ordered by `_id`. There are at most 50, so the page is cut here. */
  async list(caller: Account, query: PageQueryDto): Promise<Page<SessionRecord>> {
    const user = await this.users.get<Pick<User, 'sessions'>>(caller._id, { only: ['sessions'] });
    return pageById((user?.sessions ?? []).filter(isLive), query);
  }

  /** Ends a session. @throws ApiError sessionNotFound when it has ended since the request was authorized */
  async remove({ _id }: SessionRecord): Promise<void> {
    const isEnded = await this.users.updateInternal({ 'sessions._id': _id }, { $pull: { sessions: { _id } } });
    if (!isEnded) throw apiError('sessionNotFound');
    logSecurity('logout', { sessionId: String(_id) });
  }

  /**
   * Returns a fresh access token and the successor of a refresh token (contract §3 Session). If a token is used again
   * later than 10 s, it or its successor was stolen: then the session ends.
   */
  async refresh(text: string): Promise<TokensDto> {
    const token = this.refreshTokens.read(text);
    if (!token) throw apiError('refreshTokenUnusable');
    const session = await this.findSession(token);
    if (session.tokenHash !== hashOfToken(text)) return this.repeatRefresh(text, token, session);
    const successor = this.refreshTokens.successor(text);
    const isRotated = await this.rotate(token, session, hashOfToken(successor));
    return isRotated ? this.issue(token, successor) : this.repeatRefresh(text, token, await this.findSession(token));
  }

  private async verify({ username, email, password }: LoginInput): Promise<NamedUser> {
    const name = username === undefined ? { email } : { username };
    const user = await this.usersService.find(name);
    const isRight = await this.passwordCheck.isRight(password, name, user);
    if (!user || !isRight) throw apiError('wrongLogin');
    if (user.isSuspended) throw apiError('suspended');
    if (!isOutdated(user.passwordHash!)) return user;
    const passwordHash = await this.passwords.hash(password, { account: user._id });
    const filter = { _id: user._id, passwordHash: user.passwordHash };
    await this.users.updateInternal(filter, { $set: { passwordHash } });
    return { ...user, passwordHash };
  }

  /** Adds the session; undefined when the password has changed or the User was suspended: both end all sessions. */
  private async open(user: NamedUser, userAgent: string | undefined): Promise<CreatedSession | undefined> {
    const _id = new Types.ObjectId();
    const refreshToken = this.refreshTokens.first(user._id, _id);
    const now = new Date();
    const session: Session = {
      _id,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + this.settings.refreshTokenTtl * 1000),
      userAgent: userAgent ? userAgent.slice(0, MAX_USER_AGENT) : null,
      tokenHash: hashOfToken(refreshToken),
      usedTokens: [],
    };
    const isOpened = await this.users.updateInternal(
      { _id: user._id, passwordHash: user.passwordHash, isSuspended: user.isSuspended ?? null },
      {
        $push: { sessions: { $each: [session], $sort: { lastUsedAt: 1 }, $slice: -MAX_SESSIONS } },
        $set: { knownAddresses: this.knownAddresses.after(user, context().address) },
      },
    );
    if (!isOpened) return undefined;
    return { ...session, ...this.issue({ userId: user._id, sessionId: _id }, refreshToken), user };
  }

  private async findSession({ userId, sessionId }: RefreshToken): Promise<Session> {
    const filter = { _id: userId, 'sessions._id': sessionId };
    const [user] = await this.users.find<Pick<User, 'sessions'>>(filter, { only: ['sessions.$'] });
    const session = user?.sessions[0];
    if (!session || !isLive(session)) throw apiError('refreshTokenUnusable');
    return session;
  }

  /** One conditional update: of two that use the token at the same time, one rotates it and the other one finds it used. */
  private async rotate(token: RefreshToken, session: Session, tokenHash: string): Promise<boolean> {
    const now = Date.now();
    const end = Math.min(now + this.settings.refreshTokenTtl * 1000, session.createdAt.getTime() + MAX_LIFE_MS);
    const used = [...session.usedTokens.filter(isWithinGrace), { hash: session.tokenHash, usedAt: new Date(now) }];
    return this.users.updateInternal(
      { _id: token.userId, 'sessions.tokenHash': session.tokenHash },
      {
        $set: {
          'sessions.$[used].tokenHash': tokenHash,
          'sessions.$[used].usedTokens': used.slice(-MAX_USED),
          'sessions.$[used].lastUsedAt': new Date(now),
          'sessions.$[used].expiresAt': new Date(end),
        },
      },
      { arrayFilters: [{ 'used._id': session._id }] },
    );
  }

  /**
   * A token that is not the current one: within 10 s it returns the same successor, even if that was used; later it
   * ends the session. One that was never issued changes nothing, since its ids can be read from access tokens.
   */
  private async repeatRefresh(text: string, token: RefreshToken, session: Session): Promise<TokensDto> {
    const { usedTokens, tokenHash } = session;
    const hash = hashOfToken(text);
    const index = usedTokens.findIndex((used) => used.hash === hash && isWithinGrace(used));
    if (index === -1) {
      if (token.isSigned) {
        await this.users.updateInternal({ _id: token.userId }, { $pull: { sessions: { _id: session._id } } });
        logSecurity('refreshTokenReused', { userId: String(token.userId), sessionId: String(session._id) });
      }
      throw apiError('refreshTokenUnusable');
    }
    const successor = this.refreshTokens.successorStoredAs(usedTokens[index + 1]?.hash ?? tokenHash, text);
    if (!successor) throw apiError('refreshTokenUnusable');
    return this.issue(token, successor);
  }

  private issue({ userId, sessionId }: Omit<RefreshToken, 'isSigned'>, refreshToken: string): TokensDto {
    return { ...this.accessTokens.issue(userId, sessionId), refreshToken };
  }
}

function isWithinGrace({ usedAt }: UsedToken): boolean {
  return Date.now() - usedAt.getTime() <= GRACE_MS;
}
