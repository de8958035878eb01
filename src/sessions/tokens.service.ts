import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import { AccessTokens } from '../access/access-tokens';
import { Settings } from '../config/settings';
import { fail } from '../http/failures';
import { Session, User } from '../users/user.schema';
import { RefreshTokens } from './refresh-tokens';
import { TokensDto } from './session.dto';
import { isLive } from './sessions.service';

/** How long a session lives at most, however often it is refreshed (contract §3 Session). */
const MAX_LIFE_MS = 90 * 24 * 3600 * 1000;

/** How long a used refresh token still gives the same successor (contract §3 Session). */
const GRACE_MS = 10_000;

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
  async refresh(refreshToken: string): Promise<TokensDto> {
    const userId = this.refreshTokens.userOf(refreshToken);
    if (!userId) throw fail('refreshTokenUnusable');
    const hash = this.refreshTokens.hash(refreshToken);
    const session =
      (await this.find(userId, { tokenHash: hash })) ?? (await this.find(userId, { previousTokenHash: hash }));
    if (!session || !isLive(session)) throw fail('refreshTokenUnusable');
    if (session.tokenHash !== hash) return this.again(userId, refreshToken);
    const successor = this.refreshTokens.successor(refreshToken);
    const isRotated = await this.rotate(userId, session, successor);
    return isRotated ? this.tokens(userId, session._id, successor) : this.again(userId, refreshToken);
  }

  /** One conditional update: of two that use the token at once, one rotates it and the other finds it used. */
  private async rotate(userId: Types.ObjectId, session: Session, successor: string): Promise<boolean> {
    const now = Date.now();
    const end = Math.min(now + this.settings.refreshTokenTtl * 1000, session.createdAt.getTime() + MAX_LIFE_MS);
    const rotated = await this.users.updateOne(
      { _id: userId, sessions: { $elemMatch: { _id: session._id, tokenHash: session.tokenHash } } },
      {
        $set: {
          'sessions.$[used].tokenHash': this.refreshTokens.hash(successor),
          'sessions.$[used].previousTokenHash': session.tokenHash,
          'sessions.$[used].lastUsedAt': new Date(now),
          'sessions.$[used].expiresAt': new Date(end),
        },
      },
      // SecantusDB does not support the positional operator with $elemMatch.
      { arrayFilters: [{ 'used._id': session._id }] },
    );
    return rotated.matchedCount === 1;
  }

  /** A token that was used before: within the grace the same successor, later the end of the session. */
  private async again(userId: Types.ObjectId, refreshToken: string): Promise<TokensDto> {
    const session = await this.find(userId, { previousTokenHash: this.refreshTokens.hash(refreshToken) });
    if (!session) throw fail('refreshTokenUnusable');
    if (Date.now() - session.lastUsedAt.getTime() <= GRACE_MS) return this.sameAgain(userId, session, refreshToken);
    await this.users.updateOne({ _id: userId }, { $pull: { sessions: { _id: session._id } } });
    throw fail('refreshTokenUnusable');
  }

  private sameAgain(userId: Types.ObjectId, session: Session, refreshToken: string): TokensDto {
    const successor = this.refreshTokens.successorStoredAs(session.tokenHash, refreshToken);
    if (!successor) throw fail('refreshTokenUnusable');
    return this.tokens(userId, session._id, successor);
  }

  private async find(userId: Types.ObjectId, by: Partial<Session>): Promise<Session | undefined> {
    const filter = { _id: userId, sessions: { $elemMatch: by } };
    const user = await this.users.findOne(filter, { 'sessions.$': 1 }).lean();
    return user?.sessions[0];
  }

  private tokens(userId: Types.ObjectId, sessionId: Types.ObjectId, refreshToken: string): TokensDto {
    return { ...this.accessTokens.issue(userId, sessionId), refreshToken };
  }
}
