import { Body, Controller, Delete, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, Loaded, WithoutTransaction } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { Page } from '../../platform/records/reads/page';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import {
  LoginInput,
  type CreatedSession,
  CreatedSessionDto,
  RefreshInput,
  SessionDto,
  type SessionRecord,
  TokensDto,
} from './session.dto';
import { SessionsService } from './sessions.service';

/** `/sessions` and `/tokens`: log in, list your logins, log out, refresh. */
@ApiTags('sessions')
@Controller()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Log in
   * @remarks Returns an access token to send with other requests, and a refresh token for `POST /tokens`. After too
   * many failed logins of an account or from an address, the right password is refused too, for up to a minute. Failed
   * logins elsewhere do not lock you out of an address that you have logged in from in the last 30 days.
   */
  @Post('sessions')
  @Allow('anyone')
  @WithoutTransaction('A login updates one User; its failures count even if it fails.')
  @Throws('wrongLogin', 'suspended')
  @Returns.created(CreatedSessionDto, { noStore: true })
  create(@Body() body: LoginInput, @Headers('user-agent') userAgent?: string): Promise<CreatedSession> {
    return this.sessions.create(body, userAgent);
  }

  /** List your sessions */
  @Get('sessions')
  @Allow('account', { apiKey: false })
  @Returns.list(SessionDto, { noStore: true })
  list(@Caller() caller: Account, @Query() query: PageQueryDto): Promise<Page<SessionRecord>> {
    return this.sessions.list(caller, query);
  }

  /** Read a session */
  @Get('sessions/:id')
  @Allow('self', { apiKey: false })
  @Returns.one(SessionDto, { noStore: true })
  get(@Loaded() session: SessionRecord): SessionRecord {
    return session;
  }

  /**
   * End a session
   * @remarks This is how you log out: the access tokens of the session stop working immediately.
   */
  @Delete('sessions/:id')
  @Allow('self', { apiKey: false })
  @WithoutTransaction('A logout updates one User.')
  @Returns.deleted({ noStore: true })
  remove(@Loaded() session: SessionRecord): Promise<void> {
    return this.sessions.remove(session);
  }

  /**
   * Refresh a session
   * @remarks Returns a new access token and the next refresh token. For 10 seconds the used refresh token returns the
   * same pair again, in case the response got lost; used later, it ends the session.
   */
  @Post('tokens')
  @Allow('anyone')
  @WithoutTransaction('A refresh is one conditional update of a User.')
  @Throws('refreshTokenUnusable')
  @Returns.created(TokensDto, { location: false, noStore: true })
  refresh(@Body() body: RefreshInput): Promise<TokensDto> {
    return this.sessions.refresh(body.refreshToken);
  }
}
