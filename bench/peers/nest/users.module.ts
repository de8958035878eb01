import { Controller, Get, Injectable, Module, Query, Req, Res } from '@nestjs/common';
import { InjectModel, MongooseModule } from '@nestjs/mongoose';
import type { FastifyReply } from 'fastify';
import { Model, QueryFilter, Types } from 'mongoose';
import { accountOf, ACCOUNT_FIELDS, pageOf, toUser, USER_FIELDS } from '../shared/records.mjs';
import type { AuthenticatedRequest } from './auth.module';
import { PageQuery, readPage } from './page-query';
import { User, UserSchema } from './schemas';

export interface Account {
  _id: Types.ObjectId;
  username: string;
  isAdmin: boolean;
  requestId: string;
}

@Injectable()
export class UsersService {
  constructor(@InjectModel(User.name) private readonly users: Model<User>) {}

  async findAccount(userId: string, sessionId: string, requestId: string): Promise<Account | undefined> {
    return accountOf(await this.users.findById(userId, ACCOUNT_FIELDS).lean(), sessionId, requestId);
  }

  list(account: Account, query: PageQuery): Promise<object[]> {
    const visible: QueryFilter<User> = account.isAdmin ? {} : { _id: account._id };
    return readPage(this.users, visible, USER_FIELDS, query);
  }
}

@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  async list(
    @Query() query: PageQuery,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const records = await this.users.list(request.user!, query);
    return pageOf(records, query.limit, toUser, request.url, reply);
  }
}

@Module({
  imports: [MongooseModule.forFeature([{ name: User.name, schema: UserSchema }])],
  controllers: [UsersController],
  providers: [UsersService],
  exports: [MongooseModule, UsersService],
})
export class UsersModule {}
