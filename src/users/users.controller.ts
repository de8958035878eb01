import { Body, Controller, Delete, Get, Ip, Post, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { readContent } from '../http/body/content.pipe';
import { readBody } from '../http/body/read-body';
import { UnreadBody } from '../http/body/unread-body';
import { Fails } from '../http/fails.decorator';
import type { Page } from '../http/page';
import { PageParams } from '../http/query/page-params.decorator';
import { SearchablePageQuery } from '../http/query/page-query.dto';
import type { ShownUser } from './user.dto';
import { CreateUserBody, toUser, UpdateOwnUserBody, UpdateUserBody, UserDto } from './user.dto';
import { UserDeletionService } from './user-deletion.service';
import { isOwn, UserUpdateService } from './user-update.service';
import { UsersService } from './users.service';

/** `/users` (contract §4). PUT reads its body itself: which fields it takes depends on whose record it is. */
@ApiTags('users')
@Controller('users')
export class UsersController {
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
  @Access('account')
  @Answers.list(UserDto, toUser)
  list(@Caller() caller: Account, @PageParams() query: SearchablePageQuery): Promise<Page<ShownUser>> {
    return this.users.list(caller, query);
  }

  /** Create a User */
  @Post()
  @Access('registrar')
  @Fails('usernameTaken', 'emailTaken', 'concurrentChange')
  @Answers.created(UserDto, toUser)
  create(@Caller() caller: Account | undefined, @Body() body: CreateUserBody): Promise<ShownUser> {
    return this.users.create(caller, body);
  }

  /** Read a User */
  @Get(':id')
  @Access('self')
  @Answers.one(UserDto, toUser)
  get(@Target() user: ShownUser): ShownUser {
    return user;
  }

  /**
   * Replace a User
   * @remarks A password or roles that are left out stay as they are. A new password of one's own asks for
   * `currentPassword`, and ends the other sessions.
   */
  @Put(':id')
  @Access('self')
  @Fails('usernameTaken', 'emailTaken', 'lastAdmin', 'concurrentChange')
  @ApiBody({ type: UpdateUserBody })
  @Answers.updated(UserDto, toUser)
  async update(@Changing() user: Change<ShownUser>, @Body() body: UnreadBody, @Ip() ip: string): Promise<ShownUser> {
    const dto = isOwn(user) ? UpdateOwnUserBody : UpdateUserBody;
    return this.updates.update(user, readContent(dto, await readBody(body)), ip);
  }

  /**
   * Delete a User
   * @remarks It takes the User out of every Organization; the last Manager of one and the last Admin stay.
   */
  @Delete(':id')
  @Access('self')
  @Fails('lastManager', 'lastAdmin', 'concurrentChange')
  @Answers.deleted()
  remove(@Changing() user: Change<ShownUser>): Promise<void> {
    return this.deletions.remove(user);
  }
}
