import { Body, Controller, Delete, Get, Ip, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import type { Account } from '../auth/account';
import { ForUpdate } from '../auth/for-update';
import { Caller, Loaded, LoadedForUpdate } from '../auth/params.decorators';
import { UnreadBody } from '../http/body/unread-body';
import type { Page } from '../http/page';
import { Returns } from '../http/returns.decorator';
import { Throws } from '../http/throws.decorator';
import { SearchQueue } from '../limits/search-queue';
import { BodyValidationPipe } from '../validation/body.pipe';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import { CreateUserInput, UpdateOwnUserInput, UpdateUserInput, UserDto } from './user.dto';
import type { UserRecord } from './user.schema';
import { isOwn, UsersService } from './users.service';

/** `/users` (contract §4). PUT reads the body itself, because its fields depend on the caller. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  private readonly pipe = new BodyValidationPipe();

  constructor(private readonly users: UsersService) {}

  /**
   * List Users
   * @remarks Admins see all Users, others only themselves. `q` searches username, company name and e-mail address.
   */
  @Get()
  @Allow('account')
  @Returns.list(UserDto)
  @UseInterceptors(SearchQueue)
  list(@Caller() caller: Account, @PageParams() query: SearchablePageQuery): Promise<Page<UserRecord>> {
    return this.users.list(caller, query);
  }

  /** Create a User */
  @Post()
  @Allow('createUser')
  @Throws('usernameTaken', 'emailTaken', 'concurrentChange')
  @Returns.created(UserDto)
  create(@Caller() caller: Account | undefined, @Body() body: CreateUserInput, @Ip() ip: string): Promise<UserRecord> {
    return this.users.create(caller, body, ip);
  }

  /** Read a User */
  @Get(':id')
  @Allow('self')
  @Returns.one(UserDto)
  get(@Loaded() user: UserRecord): UserRecord {
    return user;
  }

  /**
   * Replace a User
   * @remarks Left out, `password` and `roles` stay as they are. To change your own password, username or e-mail address,
   * send `currentPassword` too. A new password ends your other sessions. Unless registration is open, only an Admin may
   * change a username or an e-mail address.
   */
  @Put(':id')
  @Allow('self')
  @Throws('usernameTaken', 'emailTaken', 'lastAdmin', 'concurrentChange')
  @ApiBody({ type: UpdateUserInput })
  @Returns.updated(UserDto)
  async update(
    @LoadedForUpdate() user: ForUpdate<UserRecord>,
    @Body() body: UnreadBody,
    @Ip() ip: string,
  ): Promise<UserRecord> {
    const dto = isOwn(user) ? UpdateOwnUserInput : UpdateUserInput;
    return this.users.update(user, await this.pipe.readAs(dto, body), ip);
  }

  /**
   * Delete a User
   * @remarks The User is removed from every Organization. The last Manager of an Organization and the last Admin cannot
   * be deleted.
   */
  @Delete(':id')
  @Allow('self')
  @Throws('lastManager', 'lastAdmin', 'concurrentChange')
  @Returns.deleted()
  remove(@LoadedForUpdate() user: ForUpdate<UserRecord>): Promise<void> {
    return this.users.remove(user);
  }
}
