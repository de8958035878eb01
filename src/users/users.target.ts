import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';
import { Loader } from '../database/loader';
import { SHOWN_USER, UserRecord } from './user.dto';
import { User } from './user.schema';

/** `users/:id` in a path. */
@Injectable()
export class UserTarget implements TargetFinder<UserRecord> {
  readonly segment = 'users/:id';
  readonly failure = 'userNotFound';
  private readonly loader: Loader<User>;

  constructor(@InjectModel(User.name) users: Model<User>, targets: Targets) {
    this.loader = new Loader(users, SHOWN_USER);
    targets.register(this);
  }

  async find(id: string): Promise<Found<UserRecord> | undefined> {
    const record = await this.loader.load(id);
    return record && { record, ownerId: record._id };
  }
}
