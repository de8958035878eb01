import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, IfMatch, Loaded } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import { Precondition } from '../../platform/http/responses/etag';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { Page } from '../../platform/records/reads/page';
import { OrganizationDto, OrganizationInput, OrganizationQuery } from './organization.dto';
import type { OrganizationRecord } from './organization.schema';
import { OrganizationsService } from './organizations.service';

/** `/organizations`. Managers and APIs of an Organization have their own controllers. */
@ApiTags('organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** List Organizations */
  @Get()
  @Allow('account')
  @Returns.list(OrganizationDto, { itemEtags: true })
  list(@Caller() caller: Account, @Query() query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    return this.organizations.list(caller, query);
  }

  /**
   * Create an Organization
   * @remarks You become its first Manager.
   */
  @Post()
  @Allow('createOrganization')
  @Throws('organizationNameTaken', 'organizationExternalIdTaken', 'tooMany')
  @Returns.created(OrganizationDto)
  create(@Caller() caller: Account, @Body() body: OrganizationInput): Promise<OrganizationRecord> {
    return this.organizations.create(caller, body);
  }

  /** Read an Organization */
  @Get(':id')
  @Allow('account')
  @Returns.one(OrganizationDto)
  get(@Loaded() organization: OrganizationRecord): OrganizationRecord {
    return organization;
  }

  /**
   * Replace an Organization
   * @remarks Optional fields that are left out get their default; `externalId` keeps its value. You can send back what
   * GET returned.
   */
  @Put(':id')
  @Allow('manager')
  @Throws('organizationNameTaken', 'organizationExternalIdTaken')
  @Returns.updated(OrganizationDto)
  update(
    @Caller() caller: Account,
    @Loaded() organization: OrganizationRecord,
    @IfMatch() ifMatch: Precondition,
    @Body() body: OrganizationInput,
  ): Promise<OrganizationRecord> {
    return this.organizations.update(caller, organization, ifMatch, body);
  }

  /**
   * Delete an Organization
   * @remarks Everything that belongs to it is deleted with it.
   */
  @Delete(':id')
  @Allow('manager')
  @Returns.deleted()
  remove(@Loaded() organization: OrganizationRecord, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.organizations.remove(organization, ifMatch);
  }
}
