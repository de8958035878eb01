import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../http/query/page-params.decorator';
import type { ShownApi } from './api.dto';
import { ApiBody, ApiDto, ApiQuery, toApi } from './api.dto';
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
  @Access('account')
  @Answers.list(ApiDto, toApi)
  list(@Caller() caller: Account, @PageParams() query: ApiQuery): Promise<Page<ShownApi>> {
    return this.apis.list(caller, query);
  }

  /**
   * Read an Api
   * @remarks A private one is for the Managers of its Organization and Admins.
   */
  @Get(':id')
  @Access('reader')
  @Answers.one(ApiDto, toApi)
  get(@Target() api: ShownApi): ShownApi {
    return api;
  }

  /**
   * Replace an Api
   * @remarks An optional field that is left out has its default again. What GET gave can be sent back. Turned private,
   * the Api leaves the featured ones of its Organization.
   */
  @Put(':id')
  @Access('manager')
  @Fails('apiNameTaken', 'concurrentChange')
  @Answers.updated(ApiDto, toApi)
  update(@Changing() api: Change<ShownApi>, @Body() body: ApiBody): Promise<ShownApi> {
    return this.updates.update(api, body);
  }

  /**
   * Delete an Api
   * @remarks It leaves the featured ones of its Organization, too.
   */
  @Delete(':id')
  @Access('manager')
  @Fails('concurrentChange')
  @Answers.deleted()
  remove(@Changing() api: Change<ShownApi>): Promise<void> {
    return this.deletions.remove(api);
  }
}
