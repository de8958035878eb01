import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Parent, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { etagOfBody } from '../http/etag';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../http/query/page-params.decorator';
import { SearchableListQuery } from '../http/query/page-query.dto';
import type { ShownOrganization } from '../organizations/organization.dto';
import { ManagerBody, ManagerDto } from './manager.dto';
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
  @Access('manager')
  @Answers.list(ManagerDto, asItIs)
  list(
    @Caller() caller: Account,
    @Target() organization: ShownOrganization,
    @PageParams() query: SearchableListQuery,
  ): Promise<Page<ManagerDto>> {
    return this.managers.list(caller, organization._id, query);
  }

  /** Add a Manager to an Organization */
  @Post()
  @Access('manager')
  @Fails('managerExists', 'tooMany', 'concurrentChange')
  @Answers.created(ManagerDto, asItIs, { etag: etagOfBody })
  create(@Changing() organization: Change<ShownOrganization>, @Body() body: ManagerBody): Promise<ManagerDto> {
    return this.managers.create(organization, body);
  }

  /** Read a Manager of an Organization */
  @Get(':managerId')
  @Access('manager')
  @Answers.one(ManagerDto, asItIs, { etag: etagOfBody })
  get(
    @Caller() caller: Account,
    @Parent() organization: ShownOrganization,
    @Target() manager: ManagerPlace,
  ): Promise<ManagerDto> {
    return this.managers.get(caller, organization._id, manager._id);
  }

  /**
   * Remove a Manager from an Organization
   * @remarks The last one stays.
   */
  @Delete(':managerId')
  @Access('manager')
  @Fails('lastManager', 'concurrentChange')
  @Answers.deleted()
  remove(@Changing() manager: Change<ManagerPlace>): Promise<void> {
    return this.managers.remove(manager);
  }
}
