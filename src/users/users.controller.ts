import { Body, Controller, Delete, Get, Ip, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { BodyValidationPipe } from '../validation/body.pipe';
import { UnreadBody } from '../http/body/unread-body';
import { Throws } from '../http/throws.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../validation/query/page-params.decorator';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import type { UserRecord } from './user.dto';
import { CreateUserInput, toUser, UpdateOwnUserInput, UpdateUserInput, UserDto } from './user.dto';
import { UserDeletionService } from './user-deletion.service';
import { isOwn, UserUpdateService } from './user-update.service';
import { UsersService } from './users.service';

/** `/users` (contract §4). PUT reads its body itself: which fields it takes depends on whose record it is. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  private readonly bodies = new BodyValidationPipe();

  constructor(
    private readonly users: UsersService,
    private readonly updates: UserUpdateService,
    private readonly deletions: UserDeletionService,
  ) {}

  /**
   * List Users
   * @remarks Admins see all, others themselves. `q` searches username, company name and e-mail address.
   */
  @Get()
  @Allow('account')
  @Returns.list(UserDto, toUser)
  list(@Caller() caller: Account, @PageParams() query: SearchablePageQuery): Promise<Page<UserRecord>> {
    return this.users.list(caller, query);
  }

  /** Create a User */
  @Post()
  @Allow('registrar')
  @Throws('usernameTaken', 'emailTaken', 'concurrentChange')
  @Returns.created(UserDto, toUser)
  create(@Caller() caller: Account | undefined, @Body() body: CreateUserInput): Promise<UserRecord> {
    return this.users.create(caller, body);
  }

  /** Read a User */
  @Get(':id')
  @Allow('self')
  @Returns.one(UserDto, toUser)
  get(@Target() user: UserRecord): UserRecord {
    return user;
  }

  /**
   * Replace a User
   * @remarks A password or roles that are left out stay as they are. A new password of one's own asks for
   * `currentPassword`, and ends the other sessions.
   */
  @Put(':id')
  @Allow('self')
  @Throws('usernameTaken', 'emailTaken', 'lastAdmin', 'concurrentChange')
  @ApiBody({ type: UpdateUserInput })
  @Returns.updated(UserDto, toUser)
  async update(@Changing() user: Change<UserRecord>, @Body() body: UnreadBody, @Ip() ip: string): Promise<UserRecord> {
    const dto = isOwn(user) ? UpdateOwnUserInput : UpdateUserInput;
    return this.updates.update(user, await this.bodies.readAs(dto, body), ip);
  }

  /**
   * Delete a User
   * @remarks It takes the User out of every Organization; the last Manager of one and the last Admin stay.
   */
  @Delete(':id')
  @Allow('self')
  @Throws('lastManager', 'lastAdmin', 'concurrentChange')
  @Returns.deleted()
  remove(@Changing() user: Change<UserRecord>): Promise<void> {
    return this.deletions.remove(user);
  }
}
