import { Body, Controller, Delete, Get, Headers, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import type { Account } from '../auth/account';
import { Caller, Loaded } from '../auth/params.decorators';
import { WithoutTransaction } from '../auth/transaction.interceptor';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageQueryDto } from '../validation/query/page-query.dto';
import { PageParams } from '../validation/query/page-params.decorator';
import { LoginInput, type NewSession, NewSessionDto, SessionDto, type SessionRecord } from './session.dto';
import { SessionsService } from './sessions.service';

/** `/sessions` (contract §4): log in, list your logins, log out. */
@ApiTags('sessions')
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Log in
   * @remarks Returns an access token to send with other requests, and a refresh token for `POST /tokens`. After too many
   * failed logins of an account or from an address, the right password is refused too, for up to a minute. Failed logins
   * elsewhere do not lock you out of an address that you have logged in from in the last 30 days.
   */
  @Post()
  @Allow('anyone')
  @WithoutTransaction('A login updates one User; its failures count even if it fails.')
  @Throws('wrongLogin')
  @Returns.created(NewSessionDto, { noStore: true })
  create(@Body() body: LoginInput, @Ip() ip: string, @Headers('user-agent') userAgent?: string): Promise<NewSession> {
    return this.sessions.create(body, ip, userAgent);
  }

  /** List your sessions */
  @Get()
  @Allow('account')
  @Returns.list(SessionDto, { noStore: true })
  list(@Caller() caller: Account, @PageParams() query: PageQueryDto): Promise<Page<SessionRecord>> {
    return this.sessions.list(caller, query);
  }

  /** Read a session */
  @Get(':id')
  @Allow('self')
  @Returns.one(SessionDto, { noStore: true })
  get(@Loaded() session: SessionRecord): SessionRecord {
    return session;
  }

  /**
   * End a session
   * @remarks This is how you log out: the access tokens of the session stop working at once.
   */
  @Delete(':id')
  @Allow('self')
  @WithoutTransaction('A logout updates one User.')
  @Returns.deleted({ noStore: true })
  remove(@Loaded() session: SessionRecord): Promise<void> {
    return this.sessions.remove(session);
  }
}
