import { Body, Controller, Get, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import type { Account } from '../auth/account';
import { Caller, Loaded } from '../auth/params.decorators';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { SearchQueueInterceptor } from '../limits/search-queue';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { ApiDto, ApiInput } from './api.dto';
import type { ApiRecord } from './api.schema';
import { ApisService } from './apis.service';

/** `/organizations/:id/apis` (contract §4). An API is created here and read at `/apis/:id`. */
@ApiTags('apis')
@Controller('organizations/:id/apis')
export class OrganizationApisController {
  constructor(private readonly apis: ApisService) {}

  /**
   * List the APIs of an Organization
   * @remarks Its Managers and Admins see all, others the public ones. `q` searches name, url and description.
   */
  @Get()
  @Allow('account')
  @Returns.list(ApiDto)
  @UseInterceptors(SearchQueueInterceptor)
  list(
    @Caller() caller: Account,
    @Loaded() organization: OrganizationRecord,
    @PageParams() query: SearchablePageQuery,
  ): Promise<Page<ApiRecord>> {
    return this.apis.listOf(caller, organization, query);
  }

  /**
   * Create an API
   * @remarks It belongs to the Organization permanently.
   */
  @Post()
  @Allow('manager')
  @Throws('apiNameTaken', 'tooMany', 'concurrentChange')
  @Returns.created(ApiDto, { location: '/apis' })
  create(
    @Caller() caller: Account,
    @Loaded() organization: OrganizationRecord,
    @Body() body: ApiInput,
  ): Promise<ApiRecord> {
    return this.apis.create(caller, organization, body);
  }
}
