import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import { WithoutTransaction } from '../auth/transaction.interceptor';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import { RefreshInput, TokensDto } from './session.dto';
import { SessionsService } from './sessions.service';

/** `/tokens` (contract §4). No access token is required: the client's has expired. */
@ApiTags('sessions')
@Controller('tokens')
export class TokensController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Refresh a session
   * @remarks Returns a new access token and the next refresh token. For 10 seconds the used refresh token returns the
   * same pair again, in case the response got lost; used later, it ends the session.
   */
  @Post()
  @Allow('anyone')
  @WithoutTransaction('A refresh is one conditional update of a User.')
  @Throws('refreshTokenUnusable')
  @Returns.created(TokensDto, { location: false, noStore: true })
  create(@Body() body: RefreshInput): Promise<TokensDto> {
    return this.sessions.refresh(body.refreshToken);
  }
}
