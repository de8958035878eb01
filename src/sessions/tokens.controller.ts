import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import { Answers } from '../http/answers';
import { Fails } from '../http/fails.decorator';
import { NoStore } from '../http/wire/no-store.decorator';
import { RefreshBody, TokensDto } from './session.dto';
import { TokensService } from './tokens.service';

/** `/tokens` (contract §4): for who has no good access token any more, so that no other credentials are asked for. */
@ApiTags('sessions')
@NoStore()
@Controller('tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  /**
   * Refresh a session
   * @remarks Gives a fresh access token and the next refresh token. The one that was used gives the same again for 10
   * seconds, in case the answer got lost; used later, it ends the session.
   */
  @Post()
  @Access('anyone')
  @Fails('refreshTokenUnusable')
  @Answers.created(TokensDto, (tokens: TokensDto) => tokens, { location: false })
  create(@Body() body: RefreshBody): Promise<TokensDto> {
    return this.tokens.refresh(body.refreshToken);
  }
}
