import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import { NoStore } from '../http/edge/no-store.decorator';
import { RefreshInput, TokensDto } from './session.dto';
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
  @Allow('anyone')
  @Throws('refreshTokenUnusable')
  @Returns.created(TokensDto, (tokens: TokensDto) => tokens, { location: false })
  create(@Body() body: RefreshInput): Promise<TokensDto> {
    return this.tokens.refresh(body.refreshToken);
  }
}
