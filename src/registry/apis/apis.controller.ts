import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, IfMatch, Loaded, Rights } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import { Precondition } from '../../platform/http/responses/etag';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { Page } from '../../platform/records/reads/page';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { ApiDto, ApiInput, ApiQuery, OrganizationApiQuery } from './api.dto';
import type { ApiRecord } from './api.schema';
import { ApisService } from './apis.service';

/** `/organizations/:id/apis`, where APIs are created, and `/apis`. */
@ApiTags('apis')
@Controller()
export class ApisController {
  constructor(private readonly apis: ApisService) {}

  /**
   * List the APIs of an Organization
   * @remarks Its Managers and Admins see all, others the public ones.
   */
  @Get('organizations/:id/apis')
  @Allow('account')
  @Returns.list(ApiDto, { itemEtags: true })
  listOf(
    @Rights('manager') seesAll: boolean,
    @Loaded() organization: OrganizationRecord,
    @Query() query: OrganizationApiQuery,
  ): Promise<Page<ApiRecord>> {
    return this.apis.listOf(seesAll, organization, query);
  }

  /**
   * Create an API
   * @remarks It belongs to the Organization permanently.
   */
  @Post('organizations/:id/apis')
  @Allow('manager')
  @Throws('apiNameTaken', 'apiExternalIdTaken', 'tooMany')
  @Returns.created(ApiDto, { location: '/apis' })
  create(
    @Caller() caller: Account,
    @Loaded() organization: OrganizationRecord,
    @Body() body: ApiInput,
  ): Promise<ApiRecord> {
    return this.apis.create(caller, organization, body);
  }

  /**
   * List APIs
   * @remarks Public APIs, and those of the Organizations that you manage; Admins see all.
   */
  @Get('apis')
  @Allow('account')
  @Returns.list(ApiDto, { itemEtags: true })
  list(@Caller() caller: Account, @Query() query: ApiQuery): Promise<Page<ApiRecord>> {
    return this.apis.list(caller, query);
  }

  /**
   * Read an API
   * @remarks Only the Managers of its Organization and Admins can read a private API.
   */
  @Get('apis/:id')
  @Allow('readApi')
  @Returns.one(ApiDto)
  get(@Loaded() api: ApiRecord): ApiRecord {
    return api;
  }

  /**
   * Replace an API
   * @remarks Optional fields that are left out get their default; `externalId` keeps its value. You can send back what
   * GET returned. An API that becomes private is no longer featured.
   */
  @Put('apis/:id')
  @Allow('manager')
  @Throws('apiNameTaken', 'apiExternalIdTaken')
  @Returns.updated(ApiDto)
  update(@Loaded() api: ApiRecord, @IfMatch() ifMatch: Precondition, @Body() body: ApiInput): Promise<ApiRecord> {
    return this.apis.update(api, ifMatch, body);
  }

  /**
   * Delete an API
   * @remarks It is no longer featured either.
   */
  @Delete('apis/:id')
  @Allow('manager')
  @Returns.deleted()
  remove(@Loaded() api: ApiRecord, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.apis.remove(api, ifMatch);
  }
}
