import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, IfMatch, Loaded, Rights } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { SearchableListQuery } from '../../platform/http/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { ManagerDto, ManagerInput, ManagerRecord } from './manager.dto';
import { type LoadedManager, ManagersService } from './managers.service';

/**
 * `/organizations/:id/managers`. A Manager has no revision of its own, and what it shows depends on the
 * caller, so its ETag is a hash of the response.
 */
@ApiTags('managers')
@Controller('organizations/:id/managers')
export class ManagersController {
  constructor(private readonly managers: ManagersService) {}

  /**
   * List the Managers of an Organization
   * @remarks They are responsible for the Organization and its APIs: the people to ask. In the order of joining. `q`
   * searches `username` and `companyName`.
   */
  @Get()
  @Allow('account')
  @Returns.list(ManagerDto)
  list(
    @Rights('manager') showsEmail: boolean,
    @Loaded() organization: OrganizationRecord,
    @Query() query: SearchableListQuery,
  ): Promise<Page<ManagerRecord>> {
    return this.managers.list(showsEmail, organization, query);
  }

  /** Add a Manager to an Organization */
  @Post()
  @Allow('manager')
  @Throws('managerExists', 'tooMany')
  @Returns.created(ManagerDto)
  create(
    @Caller() caller: Account,
    @Rights('invite') mayInvite: boolean,
    @Loaded() organization: OrganizationRecord,
    @Body() body: ManagerInput,
  ): Promise<ManagerRecord> {
    return this.managers.create(caller, organization, body, mayInvite);
  }

  /** Read a Manager of an Organization */
  @Get(':managerId')
  @Allow('account')
  @Returns.one(ManagerDto)
  get(@Rights('manager') showsEmail: boolean, @Loaded() manager: LoadedManager): Promise<ManagerRecord> {
    return this.managers.get(showsEmail, manager);
  }

  /**
   * Remove a Manager from an Organization
   * @remarks The last Manager who is not suspended cannot be removed.
   */
  @Delete(':managerId')
  @Allow('manager')
  @Throws('lastManager')
  @Returns.deleted()
  remove(@Loaded() manager: LoadedManager, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.managers.remove(manager, ifMatch);
  }
}
