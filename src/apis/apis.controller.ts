import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../validation/query/page-params.decorator';
import type { ApiRecord } from './api.dto';
import { ApiInput, ApiDto, ApiQuery, toApi } from './api.dto';
import { ApiDeletionService } from './api-deletion.service';
import { ApiUpdateService } from './api-update.service';
import { ApisService } from './apis.service';

/** `/apis` (contract §4): Apis by themselves, whosever they are. They are created under their Organization. */
@ApiTags('apis')
@Controller('apis')
export class ApisController {
  constructor(
    private readonly apis: ApisService,
    private readonly updates: ApiUpdateService,
    private readonly deletions: ApiDeletionService,
  ) {}

  /**
   * List Apis
   * @remarks Public ones, and those of the Organizations that the caller manages; Admins see all. `q` searches name,
   * url and description.
   */
  @Get()
  @Allow('account')
  @Returns.list(ApiDto, toApi)
  list(@Caller() caller: Account, @PageParams() query: ApiQuery): Promise<Page<ApiRecord>> {
    return this.apis.list(caller, query);
  }

  /**
   * Read an Api
   * @remarks A private one is for the Managers of its Organization and Admins.
   */
  @Get(':id')
  @Allow('reader')
  @Returns.one(ApiDto, toApi)
  get(@Target() api: ApiRecord): ApiRecord {
    return api;
  }

  /**
   * Replace an Api
   * @remarks An optional field that is left out has its default again. What GET gave can be sent back. Turned private,
   * the Api leaves the featured ones of its Organization.
   */
  @Put(':id')
  @Allow('manager')
  @Throws('apiNameTaken', 'concurrentChange')
  @Returns.updated(ApiDto, toApi)
  update(@Changing() api: Change<ApiRecord>, @Body() body: ApiInput): Promise<ApiRecord> {
    return this.updates.update(api, body);
  }

  /**
   * Delete an Api
   * @remarks It leaves the featured ones of its Organization, too.
   */
  @Delete(':id')
  @Allow('manager')
  @Throws('concurrentChange')
  @Returns.deleted()
  remove(@Changing() api: Change<ApiRecord>): Promise<void> {
    return this.deletions.remove(api);
  }
}
