import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../http/query/page-params.decorator';
import type { ShownOrganization } from './organization.dto';
import { OrganizationBody, OrganizationDto, OrganizationQuery, toOrganization } from './organization.dto';
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
  @Access('account')
  @Answers.list(OrganizationDto, toOrganization)
  list(@PageParams() query: OrganizationQuery): Promise<Page<ShownOrganization>> {
    return this.organizations.list(query);
  }

  /**
   * Create an Organization
   * @remarks Its creator becomes its first Manager.
   */
  @Post()
  @Access('founder')
  @Fails('organizationNameTaken', 'concurrentChange')
  @Answers.created(OrganizationDto, toOrganization)
  create(@Caller() caller: Account, @Body() body: OrganizationBody): Promise<ShownOrganization> {
    return this.organizations.create(caller, body);
  }

  /** Read an Organization */
  @Get(':id')
  @Access('account')
  @Answers.one(OrganizationDto, toOrganization)
  get(@Target() organization: ShownOrganization): ShownOrganization {
    return organization;
  }

  /**
   * Replace an Organization
   * @remarks An optional field that is left out is cleared. What GET gave can be sent back.
   */
  @Put(':id')
  @Access('manager')
  @Fails('organizationNameTaken', 'concurrentChange')
  @Answers.updated(OrganizationDto, toOrganization)
  update(
    @Changing() organization: Change<ShownOrganization>,
    @Body() body: OrganizationBody,
  ): Promise<ShownOrganization> {
    return this.organizations.update(organization, body);
  }

  /**
   * Delete an Organization
   * @remarks Its Apis and its logo go with it.
   */
  @Delete(':id')
  @Access('manager')
  @Fails('concurrentChange')
  @Answers.deleted()
  remove(@Changing() organization: Change<ShownOrganization>): Promise<void> {
    return this.deletions.remove(organization);
  }
}
