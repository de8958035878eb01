import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Parent, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { etagOfBody } from '../http/etag';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchableListQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.dto';
import { ManagerInput, ManagerDto } from './manager.dto';
import { ManagersService } from './managers.service';
import type { ManagerPlace } from './managers.target';

/** The service has made the answer's record already: what it shows depends on the caller. */
const asItIs = (manager: ManagerDto): ManagerDto => manager;

/**
 * `/organizations/:id/managers` (contract §4). Who may is asked of the Organization, which the path names first. A
 * Manager has no revision: its ETag is a hash of what is shown, and that depends on the caller.
 */
@ApiTags('managers')
@Controller('organizations/:id/managers')
export class ManagersController {
  constructor(private readonly managers: ManagersService) {}

  /**
   * List the Managers of an Organization
   * @remarks In the order of joining. `q` searches username and company name.
   */
  @Get()
  @Allow('manager')
  @Returns.list(ManagerDto, asItIs)
  list(
    @Caller() caller: Account,
    @Target() organization: OrganizationRecord,
    @PageParams() query: SearchableListQuery,
  ): Promise<Page<ManagerDto>> {
    return this.managers.list(caller, organization._id, query);
  }

  /** Add a Manager to an Organization */
  @Post()
  @Allow('manager')
  @Throws('managerExists', 'tooMany', 'concurrentChange')
  @Returns.created(ManagerDto, asItIs, { etag: etagOfBody })
  create(@Changing() organization: Change<OrganizationRecord>, @Body() body: ManagerInput): Promise<ManagerDto> {
    return this.managers.create(organization, body);
  }

  /** Read a Manager of an Organization */
  @Get(':managerId')
  @Allow('manager')
  @Returns.one(ManagerDto, asItIs, { etag: etagOfBody })
  get(
    @Caller() caller: Account,
    @Parent() organization: OrganizationRecord,
    @Target() manager: ManagerPlace,
  ): Promise<ManagerDto> {
    return this.managers.get(caller, organization._id, manager._id);
  }

  /**
   * Remove a Manager from an Organization
   * @remarks The last one stays.
   */
  @Delete(':managerId')
  @Allow('manager')
  @Throws('lastManager', 'concurrentChange')
  @Returns.deleted()
  remove(@Changing() manager: Change<ManagerPlace>): Promise<void> {
    return this.managers.remove(manager);
  }
}
