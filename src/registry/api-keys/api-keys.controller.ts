import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, Loaded } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import type { Page } from '../../platform/records/reads/page';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { UserRecord } from '../users/user.schema';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { ApiKeyDto, ApiKeyInput, type ApiKeyRecord, type CreatedApiKey, CreatedApiKeyDto } from './api-key.dto';
import { ApiKeysService, type LoadedApiKey } from './api-keys.service';

/** `/users/:id/api-keys`. */
@ApiTags('api-keys')
@Controller('users/:id/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  /** List the API keys of a User */
  @Get()
  @Allow('self', { apiKey: false })
  @Returns.list(ApiKeyDto, { noStore: true })
  list(@Loaded() user: UserRecord, @Query() query: PageQueryDto): Promise<Page<ApiKeyRecord>> {
    return this.apiKeys.list(user, query);
  }

  /**
   * Create an API key
   * @remarks A program that sends it as `Authorization: Bearer <key>` acts as the User, with the rights that the User has at
   * that moment, but cannot change passwords, roles, external ids or API keys, suspend, rename or delete Users with roles,
   * or see sessions. `key` is shown this once. A User has at most 20 API keys. A caller without a password must have logged
   * in at the identity provider within the last hour, as far as the token says when they did.
   */
  @Post()
  @Allow('self', { apiKey: false })
  @Throws('tooManyApiKeys')
  @Returns.created(CreatedApiKeyDto, { noStore: true })
  create(@Caller() caller: Account, @Loaded() user: UserRecord, @Body() body: ApiKeyInput): Promise<CreatedApiKey> {
    return this.apiKeys.create(caller, user, body);
  }

  /** Read an API key */
  @Get(':keyId')
  @Allow('self', { apiKey: false })
  @Returns.one(ApiKeyDto, { noStore: true })
  get(@Loaded() { apiKey }: LoadedApiKey): ApiKeyRecord {
    return apiKey;
  }

  /**
   * Delete an API key
   * @remarks It stops working with the next request.
   */
  @Delete(':keyId')
  @Allow('self', { apiKey: false })
  @Returns.deleted({ noStore: true })
  remove(@Loaded() apiKey: LoadedApiKey): Promise<void> {
    return this.apiKeys.remove(apiKey);
  }
}
