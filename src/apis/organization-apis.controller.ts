import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../http/query/page-params.decorator';
import { SearchablePageQuery } from '../http/query/page-query.dto';
import type { ShownOrganization } from '../organizations/organization.dto';
import type { ShownApi } from './api.dto';
import { ApiBody, ApiDto, toApi } from './api.dto';
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
  @Access('account')
  @Answers.list(ApiDto, toApi)
  list(
    @Caller() caller: Account,
    @Target() organization: ShownOrganization,
    @PageParams() query: SearchablePageQuery,
  ): Promise<Page<ShownApi>> {
    return this.apis.listOf(caller, organization, query);
  }

  /**
   * Create an Api
   * @remarks It belongs to the Organization for good.
   */
  @Post()
  @Access('manager')
  @Fails('apiNameTaken', 'tooMany', 'concurrentChange')
  @Answers.created(ApiDto, toApi, { location: '/apis' })
  create(@Changing() organization: Change<ShownOrganization>, @Body() body: ApiBody): Promise<ShownApi> {
    return this.apis.create(organization, body);
  }
}
