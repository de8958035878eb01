import { Body, Controller, Delete, Get, Headers, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Target } from '../access/params.decorators';
import { Answers } from '../http/answers';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageQuery } from '../http/query/page-query.dto';
import { PageParams } from '../http/query/page-params.decorator';
import { NoStore } from '../http/wire/no-store.decorator';
import type { NewSession, ShownSession } from './session.dto';
import { LoginBody, NewSessionDto, SessionDto, toNewSession, toSession } from './session.dto';
import { SessionsService } from './sessions.service';

/** `/sessions` (contract §4): log in, see one's logins, log out. The answer to a login holds tokens: not to be kept. */
@ApiTags('sessions')
@NoStore()
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Log in
   * @remarks Gives an access token, to be sent with every other request, and a refresh token for `POST /tokens`. After
   * too many failures of one account name or address the right password is refused too, for up to a minute.
   */
  @Post()
  @Access('anyone')
  @Fails('wrongLogin')
  @Answers.created(NewSessionDto, toNewSession)
  create(@Body() body: LoginBody, @Ip() ip: string, @Headers('user-agent') userAgent?: string): Promise<NewSession> {
    return this.sessions.create(body, ip, userAgent);
  }

  /** List your sessions */
  @Get()
  @Access('account')
  @Answers.list(SessionDto, toSession)
  list(@Caller() caller: Account, @PageParams() query: PageQuery): Promise<Page<ShownSession>> {
    return this.sessions.list(caller, query);
  }

  /** Read a session */
  @Get(':id')
  @Access('self')
  @Answers.one(SessionDto, toSession)
  get(@Target() session: ShownSession): ShownSession {
    return session;
  }

  /**
   * End a session
   * @remarks This is the logout: the access tokens of the session stop working at once.
   */
  @Delete(':id')
  @Access('self')
  @Answers.deleted()
  remove(@Target() session: ShownSession): Promise<void> {
    return this.sessions.remove(session);
  }
}
