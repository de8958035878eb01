import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { AccessTokens } from '../auth/access-tokens';
import { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import { User } from '../users/user.schema';
import { RefreshToken, RefreshTokens } from './refresh-tokens';
import { TokensDto } from './session.dto';
import { isLive, Session, UsedToken } from '../users/session.schema';

/** How long a session lives at most, however often it is refreshed (contract §3 Session). */
const MAX_LIFE_MS = 90 * 24 * 3600 * 1000;

/** How long a used refresh token still gives the same successor (contract §3 Session). */
const GRACE_MS = 10_000;

/** How many used tokens a session remembers: enough for a client that refreshes five times a second. */
const MAX_USED = 50;

/** POST /tokens. */
@Injectable()
export class TokensService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly settings: Settings,
  ) {}

  /**
   * Gives a fresh access token and the successor of a refresh token (contract §3 Session). A token that is used again
   * later than 10 s was stolen, or its successor was: its use ends the session.
   *
   * @throws Failure refreshTokenUnusable
   */
  async refresh(text: string): Promise<TokensDto> {
    const token = this.refreshTokens.read(text);
    if (!token) throw apiError('refreshTokenUnusable');
    const session = await this.find(token);
    if (session.tokenHash !== this.refreshTokens.hash(text)) return this.again(text, token, session);
    const successor = this.refreshTokens.successor(text);
    const isRotated = await this.rotate(token, session, this.refreshTokens.hash(successor));
    return isRotated ? this.tokens(token, successor) : this.again(text, token, await this.find(token));
  }

  private async find({ userId, sessionId }: RefreshToken): Promise<Session> {
    const user = await this.users.findOne({ _id: userId, 'sessions._id': sessionId }, { 'sessions.$': 1 }).lean();
    const session = user?.sessions[0];
    if (!session || !isLive(session)) throw apiError('refreshTokenUnusable');
    return session;
  }

  /** One conditional update: of two that use the token at once, one rotates it and the other finds it used. */
  private async rotate(token: RefreshToken, session: Session, tokenHash: string): Promise<boolean> {
    const now = Date.now();
    const end = Math.min(now + this.settings.refreshTokenTtl * 1000, session.createdAt.getTime() + MAX_LIFE_MS);
    const used = [...session.usedTokens.filter(isWithinGrace), { hash: session.tokenHash, usedAt: new Date(now) }];
    const rotated = await this.users.updateOne(
      { _id: token.userId, sessions: { $elemMatch: { _id: session._id, tokenHash: session.tokenHash } } },
      {
        $set: {
          'sessions.$[used].tokenHash': tokenHash,
          'sessions.$[used].usedTokens': used.slice(-MAX_USED),
          'sessions.$[used].lastUsedAt': new Date(now),
          'sessions.$[used].expiresAt': new Date(end),
        },
      },
      // SecantusDB does not support the positional operator with $elemMatch.
      { arrayFilters: [{ 'used._id': session._id }] },
    );
    return rotated.matchedCount === 1;
  }

  /**
   * A token that is not due. Within the grace it gives the same successor, even if that was used meanwhile; later it
   * ends the session. One that nobody was given changes nothing: access tokens tell the ids that it is made of.
   */
  private async again(text: string, token: RefreshToken, { usedTokens, tokenHash }: Session): Promise<TokensDto> {
    const hash = this.refreshTokens.hash(text);
    const index = usedTokens.findIndex((used) => used.hash === hash && isWithinGrace(used));
    if (index === -1 && token.isSealed) await this.end(token);
    const next = usedTokens[index + 1]?.hash ?? tokenHash;
    const successor = index === -1 ? undefined : this.refreshTokens.successorStoredAs(next, text);
    if (!successor) throw apiError('refreshTokenUnusable');
    return this.tokens(token, successor);
  }

  private async end({ userId, sessionId }: RefreshToken): Promise<void> {
    await this.users.updateOne({ _id: userId }, { $pull: { sessions: { _id: sessionId } } });
  }

  private tokens({ userId, sessionId }: RefreshToken, refreshToken: string): TokensDto {
    return { ...this.accessTokens.issue(userId, sessionId), refreshToken };
  }
}

function isWithinGrace({ usedAt }: UsedToken): boolean {
  return Date.now() - usedAt.getTime() <= GRACE_MS;
}
