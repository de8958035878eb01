import { Body, Controller, Delete, Get, Post, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import type { Account } from '../auth/account';
import { Caller, Loaded, LoadedForUpdate } from '../auth/params.decorators';
import { ForUpdate } from '../auth/for-update';
import { Returns } from '../http/returns.decorator';
import { etagOfBody } from '../http/etag';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { SearchQueue } from '../limits/search-queue';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchableListQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { ManagerDto, ManagerInput, ManagerRecord } from './manager.dto';
import { type ManagerPlace, ManagersService } from './managers.service';

/**
 * `/organizations/:id/managers` (contract §4). A Manager has no revision of its own, and what it shows depends on the
 * caller, so its ETag is a hash of the response.
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
  @Returns.list(ManagerDto)
  @UseInterceptors(SearchQueue)
  list(
    @Caller() caller: Account,
    @Loaded() organization: OrganizationRecord,
    @PageParams() query: SearchableListQuery,
  ): Promise<Page<ManagerRecord>> {
    return this.managers.list(caller, organization, query);
  }

  /** Add a Manager to an Organization */
  @Post()
  @Allow('manager')
  @Throws('managerExists', 'tooMany', 'concurrentChange')
  @Returns.created(ManagerDto, { etag: etagOfBody })
  create(
    @LoadedForUpdate() organization: ForUpdate<OrganizationRecord>,
    @Body() body: ManagerInput,
  ): Promise<ManagerRecord> {
    return this.managers.create(organization, body);
  }

  /** Read a Manager of an Organization */
  @Get(':managerId')
  @Allow('manager')
  @Returns.one(ManagerDto, { etag: etagOfBody })
  get(@Caller() caller: Account, @Loaded() manager: ManagerPlace): Promise<ManagerRecord> {
    return this.managers.get(caller, manager);
  }

  /**
   * Remove a Manager from an Organization
   * @remarks The last Manager cannot be removed.
   */
  @Delete(':managerId')
  @Allow('manager')
  @Throws('lastManager', 'concurrentChange')
  @Returns.deleted()
  remove(@LoadedForUpdate() manager: ForUpdate<ManagerPlace>): Promise<void> {
    return this.managers.remove(manager);
  }
}
