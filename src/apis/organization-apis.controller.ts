import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.dto';
import type { ApiRecord } from './api.dto';
import { ApiInput, ApiDto, toApi } from './api.dto';
import { ApisService } from './apis.service';

/** `/organizations/:id/apis` (contract §4). An Api is created here and read at `/apis/:id`, where `Location` leads. */
@ApiTags('apis')
@Controller('organizations/:id/apis')
export class OrganizationApisController {
  constructor(private readonly apis: ApisService) {}

  /**
   * List the Apis of an Organization
   * @remarks Its Managers and Admins see all, others the public ones. `q` searches name, url and description.
   */
  @Get()
  @Allow('account')
  @Returns.list(ApiDto, toApi)
  list(
    @Caller() caller: Account,
    @Target() organization: OrganizationRecord,
    @PageParams() query: SearchablePageQuery,
  ): Promise<Page<ApiRecord>> {
    return this.apis.listOf(caller, organization, query);
  }

  /**
   * Create an Api
   * @remarks It belongs to the Organization for good.
   */
  @Post()
  @Allow('manager')
  @Throws('apiNameTaken', 'tooMany', 'concurrentChange')
  @Returns.created(ApiDto, toApi, { location: '/apis' })
  create(@Changing() organization: Change<OrganizationRecord>, @Body() body: ApiInput): Promise<ApiRecord> {
    return this.apis.create(organization, body);
  }
}
