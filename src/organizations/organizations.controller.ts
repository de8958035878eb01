import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../validation/query/page-params.decorator';
import type { OrganizationRecord } from './organization.dto';
import { OrganizationInput, OrganizationDto, OrganizationQuery, toOrganization } from './organization.dto';
import { OrganizationDeletionService } from './organization-deletion.service';
import { OrganizationsService } from './organizations.service';

/** `/organizations` (contract §4). What belongs to one, its Managers and Apis, has controllers of its own. */
@ApiTags('organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly deletions: OrganizationDeletionService,
  ) {}

  /**
   * List Organizations
   * @remarks `q` searches name, url and description.
   */
  @Get()
  @Allow('account')
  @Returns.list(OrganizationDto, toOrganization)
  list(@PageParams() query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    return this.organizations.list(query);
  }

  /**
   * Create an Organization
   * @remarks Its creator becomes its first Manager.
   */
  @Post()
  @Allow('founder')
  @Throws('organizationNameTaken', 'concurrentChange')
  @Returns.created(OrganizationDto, toOrganization)
  create(@Caller() caller: Account, @Body() body: OrganizationInput): Promise<OrganizationRecord> {
    return this.organizations.create(caller, body);
  }

  /** Read an Organization */
  @Get(':id')
  @Allow('account')
  @Returns.one(OrganizationDto, toOrganization)
  get(@Target() organization: OrganizationRecord): OrganizationRecord {
    return organization;
  }

  /**
   * Replace an Organization
   * @remarks An optional field that is left out is cleared. What GET gave can be sent back.
   */
  @Put(':id')
  @Allow('manager')
  @Throws('organizationNameTaken', 'concurrentChange')
  @Returns.updated(OrganizationDto, toOrganization)
  update(
    @Changing() organization: Change<OrganizationRecord>,
    @Body() body: OrganizationInput,
  ): Promise<OrganizationRecord> {
    return this.organizations.update(organization, body);
  }

  /**
   * Delete an Organization
   * @remarks Its Apis and its logo go with it.
   */
  @Delete(':id')
  @Allow('manager')
  @Throws('concurrentChange')
  @Returns.deleted()
  remove(@Changing() organization: Change<OrganizationRecord>): Promise<void> {
    return this.deletions.remove(organization);
  }
}
