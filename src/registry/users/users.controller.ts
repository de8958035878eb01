import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, IfMatch, Loaded, Registrant } from '../../platform/http/access/decorators';
import type { Account, OidcClaims } from '../../platform/http/access/account';
import { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import { Registrations } from './registrations';
import { CreateUserInput, UpdateUserInput, UserDto, UserQuery } from './user.dto';
import type { Person, UserRecord } from './user.schema';
import { shownTo } from './user-access';
import { UsersService } from './users.service';

/** `/users`. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly registrations: Registrations,
  ) {}

  /**
   * List Users
   * @remarks Callers who are not Admins see only `_id`, `username`, `companyName` and `createdAt` of other Users, and find
   * them by `username`, or by `q` in both names. With `USER_DIRECTORY=admins`, they see only themselves.
   */
  @Get()
  @Allow('account')
  @Throws('forbidden')
  @Returns.list(UserDto, { itemEtags: true })
  list(@Caller() caller: Account, @Query() query: UserQuery): Promise<Page<UserRecord | Person>> {
    return this.users.list(caller, query);
  }

  /**
   * Create a User
   * @remarks With `OIDC_CREATE_USERS=on`, a token of the identity provider and no body, or `{}`, create your own User from
   * the claims of the token.
   */
  @Post()
  @Allow('createUser')
  @Throws('usernameTaken', 'emailTaken', 'externalIdTaken')
  @Returns.created(UserDto)
  create(
    @Caller() caller: Account | undefined,
    @Registrant() registrant: OidcClaims | undefined,
    @Body() body: CreateUserInput,
  ): Promise<UserRecord> {
    return registrant ? this.registrations.create(registrant) : this.users.create(caller, body);
  }

  /** Read a User */
  @Get(':id')
  @Allow('readUser')
  @Returns.one(UserDto)
  get(@Caller() caller: Account, @Loaded() user: UserRecord): UserRecord | Person {
    return shownTo(caller, user);
  }

  /**
   * Replace a User
   * @remarks Left out, `password`, `roles`, `isSuspended` and `externalId` stay as they are. To change your own
   * password, username or e-mail address, send `currentPassword` too. A new password ends your other sessions. Unless
   * registration is open, only an Admin may change a username or an e-mail address.
   */
  @Put(':id')
  @Allow('self')
  @Throws('usernameTaken', 'emailTaken', 'externalIdTaken', 'lastAdmin')
  @Returns.updated(UserDto)
  update(
    @Caller() caller: Account,
    @Loaded() user: UserRecord,
    @IfMatch() ifMatch: Precondition,
    @Body() body: UpdateUserInput,
  ): Promise<UserRecord> {
    return this.users.update(caller, user, ifMatch, body);
  }

  /**
   * Delete a User
   * @remarks The User is removed from every Organization. The last Manager of an Organization and the last Admin, without
   * those who are suspended, cannot be deleted.
   */
  @Delete(':id')
  @Allow('self')
  @Throws('lastManager', 'lastAdmin')
  @Returns.deleted()
  remove(@Caller() caller: Account, @Loaded() user: UserRecord, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.users.remove(caller, user, ifMatch);
  }
}
